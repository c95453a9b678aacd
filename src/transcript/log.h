/* log.h: a whole transcript in memory, in the given order.
 *
 * Audits that must look at a transaction more than once keep it here: set-up lines, then transactions and
 * gaps in the given order, then final lines.  Everything is copied into the log's arena. */
#ifndef ALIBI_TRANSCRIPT_LOG_H
#define ALIBI_TRANSCRIPT_LOG_H

#include "src/transcript/transcript.h"

typedef struct Log {
  Header header;
  const char *file;          /* for messages; borrowed */
  ARRAY(const Line *) setup; /* `setup` and `table` lines */
  ARRAY(const Line *) lines; /* transactions and gaps */
  ARRAY(const Line *) finals;
  Arena arena;
} Log;

void log_init(Log *log, const Header *header, const char *file);
void log_add(Log *log, const Line *line);
void log_free(Log *log);

#endif
