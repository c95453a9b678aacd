/* snapshot.c: FIRST:END:RUNNING,RUNNING,... */
#include "levels/snapshot.h"

#include <ctype.h>
#include <stdlib.h>

/* A number at the beginning of the text; NULL: there is none. */
static const char *number_parse(const char *text, uint64_t *number) {
  if (!isdigit((unsigned char)*text)) return NULL;
  char *end;
  *number = strtoull(text, &end, 10);
  return end;
}

bool xid_parse(const char *text, uint64_t *xid) {
  text = number_parse(text, xid);
  return text && !*text && *xid;
}

bool snapshot_parse(const char *text, Snapshot *snapshot) {
  *snapshot = (Snapshot){.given = true};
  text = number_parse(text, &snapshot->first_open);
  if (!text || *text++ != ':') return false;
  text = number_parse(text, &snapshot->end);
  if (!text || *text++ != ':') return false;
  snapshot->running = text;
  uint64_t xid;
  while (*text) {
    text = number_parse(text, &xid);
    if (!text || (*text && (*text != ',' || !text[1]))) return false;
    text += *text == ',';
  }
  return true;
}

bool snapshot_sees(const Snapshot *snapshot, uint64_t xid) {
  if (xid < snapshot->first_open) return true;
  if (xid >= snapshot->end) return false;
  uint64_t running = 0;
  for (const char *text = snapshot->running; *text; text += *text == ',') {
    text = number_parse(text, &running);
    if (running == xid) return false;
  }
  return true;
}

static bool line_counts(const Line *line, LevelId level) {
  return line->kind == LINE_TRANSACTION && line->transaction.status == STATUS_COMMITTED &&
         level_has_snapshots(level);
}

uint64_t line_xid(const Line *line, LevelId level) {
  uint64_t xid;
  if (!line_counts(line, level) || !line->transaction.xid) return 0;
  return xid_parse(line->transaction.xid, &xid) ? xid : 0;
}

Snapshot line_snapshot(const Line *line, LevelId level) {
  Snapshot snapshot = {0};
  if (!line_counts(line, level) || !line->transaction.snapshot) return snapshot;
  return snapshot_parse(line->transaction.snapshot, &snapshot) ? snapshot : (Snapshot){0};
}
