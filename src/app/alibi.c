/* alibi.c: the witness of a correct verdict (docs/witness.md).
 *
 * A serial replay is its own certificate: its witness is written line by line beside it and says who took
 * part and what the database chose.  Where a search found the execution, levels/confirm.h has replayed it,
 * and it is written whole. */
#include "src/app/audit.h"

#include <string.h>

/* The level of a transaction (NULL: of those that name none), by name and with freshness as it was asked for.
 */
static LevelId level_asked(const Audit *audit, const Line *line, WitnessFresh *fresh) {
  LevelChoice choice = {LEVEL_SER, false};
  const char *name = audit->options->level;
  if (!name) name = line && line->transaction.level ? line->transaction.level : audit->header.level;
  if (name) level_find(name, &audit->header, &choice);
  *fresh = audit->options->fresh                             ? FRESH_ALWAYS
           : choice.is_vendor_name && !audit->options->stale ? FRESH_TIMED
                                                             : FRESH_NEVER;
  return choice.id;
}

static WitnessHeader header_make(const Audit *audit) {
  WitnessHeader header = {.compares_values = strcmp(audit->options->conflicts, "values") == 0,
                          .has_readers = audit->evidence.has_readers,
                          .clock_error = audit->options->clock_error};
  header.level = levels[level_asked(audit, NULL, &header.fresh)].name;
  return header;
}

/* Says the transaction's level where it is not the header's. */
static void level_say(const Audit *audit, const Line *line, WitnessTransaction *transaction) {
  WitnessFresh common, fresh;
  LevelId usual = level_asked(audit, NULL, &common), own = level_asked(audit, line, &fresh);
  if (own != usual) transaction->level = levels[own].name;
  transaction->has_fresh = fresh != common;
  transaction->fresh = fresh;
}

/* ---- Beside the serial replay ------------------------------------------------------------------------ */

bool audit_witness_begin(Audit *audit) {
  witness_discard(audit->witness);
  audit->witness_count = 0;
  audit->witness = witness_create(audit->options->witness, &audit->diag);
  if (!audit->witness) return false;
  transcript_take_hash(audit->reader);
  replay_note_choices(audit->replay, &audit->choices_arena, &audit->choices);
  WitnessHeader header = header_make(audit);
  header.is_serial = true;
  header.is_searched = strcmp(audit->options->order, "search") == 0;
  witness_write_header(audit->witness, &header);
  return true;
}

void audit_witness_line(Audit *audit, const Line *line) {
  if (line->kind == LINE_TRANSACTION && line->transaction.status != STATUS_ABORTED && !line_is_reader(line)) {
    const Transaction *own = &line->transaction;
    WitnessTransaction transaction = {.name = own->name, .name_is_integer = own->name_is_integer};
    transaction.takes_part = own->status == STATUS_COMMITTED || replay_took_part(audit->replay);
    transaction.choices = audit->choices;
    level_say(audit, line, &transaction);
    witness_write_transaction(audit->witness, &transaction);
    audit->witness_count++;
  } else if (line->kind == LINE_FINAL) {
    witness_write_final(audit->witness,
                        &(WitnessFinal){.table = line->table.table, .choices = audit->choices});
  }
  audit->choices = (WitnessChoices){0};
  arena_clear(&audit->choices_arena);
}

/* ---- What a search found --------------------------------------------------------------------------------
 */

bool audit_witness_searched(Audit *audit) {
  witness_discard(audit->witness);
  audit->witness_count = 0;
  audit->witness = witness_create(audit->options->witness, &audit->diag);
  if (!audit->witness) return false;
  WitnessHeader header = header_make(audit);
  header.is_searched = audit->asked == SEARCH_ANY;
  witness_write_header(audit->witness, &header);
  return true;
}

void audit_witness_settled(Audit *audit, const Line *line, const WitnessTransaction *found) {
  WitnessTransaction transaction = *found;
  audit->witness_count++;
  level_say(audit, line, &transaction);
  witness_write_transaction(audit->witness, &transaction);
}

static void search_write(Audit *audit) {
  const SearchResult *found = &audit->search;
  for (uint32_t i = 0; i < found->witness->rows.count; i++)
    witness_write_row(audit->witness, &found->witness->rows.items[i]);
  for (uint32_t i = 0; i < found->place_count; i++) {
    const Line *line = found->order[i];
    if (line->kind != LINE_TRANSACTION || line->transaction.status == STATUS_ABORTED) continue;
    audit_witness_settled(audit, line, &found->witness->transactions.items[audit->witness_count]);
  }
  for (uint32_t i = 0; i < found->witness->finals.count; i++)
    witness_write_final(audit->witness, &found->witness->finals.items[i]);
}

void audit_witness_end(Audit *audit) {
  WitnessWriter *writer = audit->witness;
  if (audit->verdict != VERDICT_CORRECT) {
    witness_discard(writer);
    audit->witness = NULL;
    return;
  }
  if (audit->has_searched && !audit->is_streamed && audit_witness_searched(audit)) search_write(audit);
  TranscriptStats stats = transcript_stats(audit->reader);
  WitnessEnd end = {audit->witness_count, stats.lines, stats.hash};
  bool done = audit->witness && witness_finish(audit->witness, &end, &audit->diag);
  audit->witness = NULL;
  if (!done) audit->verdict = VERDICT_BAD_INPUT;
}
