/* doctor.c: one observation is changed: to something that a database that makes a mistake could have said. */
#include "tests/oracle/compose.h"

static void value_change(Compose *compose, Value *value) {
  Draw *draw = &compose->draw;
  if (value->kind == VALUE_TEXT) {
    char letter[2] = {(char)('a' + draw_below(draw, 4)), 0};
    *value = value_string(arena_text(&compose->history->arena, letter, 1));
  } else if (value->kind == VALUE_INT && draw_percent(draw, 60)) {
    value->integer += draw_percent(draw, 50) ? 1 : -1;
  } else {
    *value = draw_percent(draw, 15) ? NULL_VALUE : value_int(draw_below(draw, 7));
  }
}

static void rows_change(Compose *compose, ObservedRows *rows) {
  Draw *draw = &compose->draw;
  uint32_t kind = draw_below(draw, 4), row = rows->count ? draw_below(draw, rows->count) : 0;
  if (rows->count == 0) return;
  if (kind == 0) {
    rows->rows[row] = rows->rows[--rows->count];
  } else if (kind == 1) {
    ObservedRow *more = ARENA_ARRAY(&compose->history->arena, ObservedRow, rows->count + 1);
    memcpy(more, rows->rows, rows->count * sizeof *more);
    more[rows->count++] = rows->rows[row];
    rows->rows = more;
  } else if (rows->rows[row].count) {
    value_change(compose, &rows->rows[row].cells[draw_below(draw, rows->rows[row].count)].value);
  }
}

/* What the statement would have given in another state of the execution, also a later one. */
static void rows_exchange(Compose *compose, Operation *operation) {
  Own none = {0};
  State view;
  Statement *statement = world_statement(compose->world, operation);
  if (!statement) return;
  view_take(compose->world, &compose->states[draw_below(&compose->draw, compose->place + 1)], &none,
            statement->tables, &view);
  const Outcome *outcome = world_run(compose->world, statement, view.items, view.count);
  if (outcome->failure) return;
  Arena *arena = &compose->history->arena;
  ObservedRows *rows = operation->results;
  rows->count = outcome->row_count;
  rows->rows = ARENA_ARRAY(arena, ObservedRow, rows->count);
  for (uint32_t r = 0; r < rows->count; r++) {
    rows->rows[r] = (ObservedRow){outcome->column_count, ARENA_ARRAY(arena, Observed, outcome->column_count)};
    for (uint32_t c = 0; c < outcome->column_count; c++)
      rows->rows[r].cells[c].value = value_copy(arena, outcome->cells[r * outcome->column_count + c]);
  }
}

static bool operation_change(Compose *compose, Operation *operation) {
  if (operation->error) {
    operation->error = NULL;
  } else if (operation->has_rows) {
    if (draw_percent(&compose->draw, 65) && operation->sql[0] == 'S')
      rows_exchange(compose, operation);
    else
      rows_change(compose, operation->results);
  } else if (operation->has_affected) {
    bool goes_up = operation->affected == 0 || draw_percent(&compose->draw, 50);
    operation->affected += goes_up ? 1 : -1;
  } else {
    return false;
  }
  return true;
}

bool compose_doctor(Compose *compose) {
  History *history = compose->history;
  for (int tries = 0; tries < 20; tries++) {
    Transaction *transaction = history->transactions[draw_below(&compose->draw, history->count)];
    if (transaction->status == STATUS_ABORTED && !compose->asked.checks_aborted) continue;
    if (!transaction->operation_count) continue;
    if (operation_change(compose,
                         &transaction->operations[draw_below(&compose->draw, transaction->operation_count)]))
      return true;
  }
  return false;
}
