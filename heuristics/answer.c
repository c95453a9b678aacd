/* answer.c: outcomes as the transcript would write them. */
#include "heuristics/answer.h"

#include "src/transcript/emit.h"

enum { LONGEST = 1000 };

bool answers_are_of(const Answers *answers, const Operation *operation) {
  const Operation *asked = answers->operation;
  if (!asked || asked->kind != operation->kind) return false;
  return asked->kind == OPERATION_SQL ? asked->sql == operation->sql : asked->object == operation->object;
}

static void emit_set(Emit *emit, Doubts *doubts, const ResultSet *set) {
  emit_open(emit, '[');
  for (uint32_t i = 0; i < set->row_count && emit->length < LONGEST; i++) {
    emit_open(emit, '[');
    for (uint32_t k = 0; k < set->column_count; k++)
      emit_value(emit, doubt_settle(doubts, set->rows[i].values[k]));
    emit_close(emit, ']');
  }
  emit_close(emit, ']');
}

static void emit_outcome(Emit *emit, Doubts *doubts, const Operation *operation, const Outcome *outcome) {
  emit_open(emit, '{');
  if (outcome->kind == OUTCOME_ERROR) {
    emit_field(emit, "error", outcome->reason ? outcome->reason : "an error");
  } else if (operation->kind != OPERATION_SQL) {
    emit_key(emit, "value");
    emit_value(emit, outcome->results.items[0].rows[0].values[0]);
  } else {
    bool is_one = outcome->results.count == 1;
    if (outcome->results.count) emit_key(emit, is_one ? "rows" : "results");
    if (outcome->results.count > 1) emit_open(emit, '[');
    for (uint32_t i = 0; i < outcome->results.count; i++) emit_set(emit, doubts, &outcome->results.items[i]);
    if (outcome->results.count > 1) emit_close(emit, ']');
    if (outcome->has_affected && operation->has_affected) emit_count(emit, "affected", outcome->affected);
  }
  emit_close(emit, '}');
}

/* LIMIT leaves a choice among rows: there is no one answer to show. */
static bool outcome_is_open(const Outcome *outcome) {
  for (uint32_t i = 0; i < outcome->results.count; i++)
    if (outcome->results.items[i].has_slice) return true;
  return false;
}

void answers_add(Answers *answers, Doubts *doubts, const Outcome *outcome) {
  if (outcome_is_open(outcome)) {
    answers->is_cut = true;
    return;
  }
  Emit emit = {0};
  emit_outcome(&emit, doubts, answers->operation, outcome);
  bool is_new = emit.length < LONGEST;
  answers->is_cut |= !is_new;
  for (uint32_t i = 0; is_new && i < answers->texts.count; i++)
    is_new = strlen(answers->texts.items[i]) != emit.length ||
             memcmp(answers->texts.items[i], emit.text, emit.length) != 0;
  if (is_new && answers->texts.count == MOST_ANSWERS)
    answers->is_cut = true;
  else if (is_new)
    ARENA_PUSH(answers->arena, &answers->texts, arena_text(answers->arena, emit.text, emit.length));
  emit_free(&emit);
}
