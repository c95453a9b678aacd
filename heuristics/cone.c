/* cone.c: from what is observed backwards, writer by writer. */
#include "heuristics/cone.h"

#include "heuristics/touch.h"

typedef ARRAY(uint32_t) Numbers;

typedef struct Spot { /* one statement of the log */
  uint32_t line, operation;
  uint32_t first, count; /* its touches */
} Spot;

struct Cone {
  const Log *log;
  Arena arena;
  Touches touches;
  ARRAY(Spot) spots;
  uint32_t *first_spot; /* by line */
  Map writers;          /* (table, key) -> Numbers: spots that may write the row */
  Map whole_writers;    /* table -> Numbers: any row */
  Map all_writers;      /* table -> Numbers: both of them */
  Numbers every_writer; /* of any table */
  Numbers all_touchers; /* TABLE_ALL */
  bool **marks;         /* by line and operation */
  Numbers open;         /* spots that are marked and not yet followed */
};

typedef struct RowName {
  int64_t key;
  uint32_t table, padding;
} RowName;

/* ---- Making ------------------------------------------------------------------------------------------ */

static void writer_add(Cone *cone, Map *map, const void *name, size_t length, uint32_t spot) {
  Numbers *numbers = map_get(map, name, length);
  if (!numbers) {
    numbers = ARENA_NEW(&cone->arena, Numbers);
    map_put_copy(map, name, length, numbers);
  }
  ARENA_PUSH(&cone->arena, numbers, spot);
}

static void writer_note(Cone *cone, uint32_t spot, const Touch *touch) {
  if (!touch->writes) return;
  RowName row = {touch->key, touch->table, 0};
  ARENA_PUSH(&cone->arena, &cone->every_writer, spot);
  if (touch->table == TABLE_ALL) {
    ARENA_PUSH(&cone->arena, &cone->all_touchers, spot);
    return;
  }
  if (touch->is_whole)
    writer_add(cone, &cone->whole_writers, &touch->table, sizeof touch->table, spot);
  else
    writer_add(cone, &cone->writers, &row, sizeof row, spot);
  writer_add(cone, &cone->all_writers, &touch->table, sizeof touch->table, spot);
}

static void line_note(Cone *cone, Replay *replay, uint32_t number) {
  const Line *line = cone->log->lines.items[number];
  cone->first_spot[number] = cone->spots.count;
  bool is_of_interest = line->kind == LINE_TRANSACTION && line->transaction.status != STATUS_ABORTED;
  uint32_t count = is_of_interest ? line->transaction.operation_count : 0;
  cone->marks[number] = ARENA_ARRAY(&cone->arena, bool, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    Spot spot = {number, i, cone->touches.count, 0};
    touches_of(replay, &line->transaction.operations[i], &cone->arena, &cone->touches);
    spot.count = cone->touches.count - spot.first;
    for (uint32_t k = 0; k < spot.count; k++)
      writer_note(cone, cone->spots.count, &cone->touches.items[spot.first + k]);
    ARENA_PUSH(&cone->arena, &cone->spots, spot);
  }
}

Cone *cone_new(const Log *log, Diag *diag) {
  Cone *cone = memory_new(sizeof *cone);
  cone->log = log;
  arena_init(&cone->arena);
  map_init(&cone->writers);
  map_init(&cone->whole_writers);
  map_init(&cone->all_writers);
  cone->first_spot = ARENA_ARRAY(&cone->arena, uint32_t, log->lines.count + 1);
  cone->marks = ARENA_ARRAY(&cone->arena, bool *, log->lines.count + 1);
  Replay *replay = replay_new(&log->header, log->file);
  bool is_good = true;
  for (uint32_t i = 0; is_good && i < log->setup.count; i++)
    is_good = replay_line(replay, log->setup.items[i], diag);
  for (uint32_t i = 0; is_good && i < log->lines.count; i++) line_note(cone, replay, i);
  replay_free(replay);
  if (is_good) return cone;
  cone_free(cone);
  return NULL;
}

void cone_free(Cone *cone) {
  if (!cone) return;
  map_free(&cone->writers);
  map_free(&cone->whole_writers);
  map_free(&cone->all_writers);
  arena_free(&cone->arena);
  free(cone);
}

/* ---- Marking ------------------------------------------------------------------------------------------- */

static void spot_mark(Cone *cone, uint32_t number) {
  const Spot *spot = &cone->spots.items[number];
  if (cone->marks[spot->line][spot->operation]) return;
  cone->marks[spot->line][spot->operation] = true;
  ARENA_PUSH(&cone->arena, &cone->open, number);
}

static void transaction_mark(Cone *cone, uint32_t line) {
  const Line *each = cone->log->lines.items[line];
  for (uint32_t i = 0; i < each->transaction.operation_count; i++)
    spot_mark(cone, cone->first_spot[line] + i);
}

/* The writers whose effect a reader on `line` may see. */
static void writers_mark(Cone *cone, const ConeQuestion *question, const Numbers *writers, uint32_t line) {
  for (uint32_t i = 0; writers && i < writers->count; i++) {
    const Spot *writer = &cone->spots.items[writers->items[i]];
    bool is_reader = line < cone->log->lines.count && line_is_reader(cone->log->lines.items[line]);
    if (question->is_given && writer->line > line && !is_reader) continue;
    if (question->by_statement)
      spot_mark(cone, writers->items[i]);
    else
      transaction_mark(cone, writer->line);
  }
}

static void touch_follow(Cone *cone, const ConeQuestion *question, const Touch *touch, uint32_t line) {
  if (!touch->reads) return;
  if (touch->table == TABLE_ALL) {
    writers_mark(cone, question, &cone->every_writer, line);
    return;
  }
  writers_mark(cone, question, &cone->all_touchers, line);
  if (touch->is_whole) {
    writers_mark(cone, question,
                 map_get(&cone->all_writers, (const char *)&touch->table, sizeof touch->table), line);
    return;
  }
  RowName row = {touch->key, touch->table, 0};
  writers_mark(cone, question, map_get(&cone->writers, (const char *)&row, sizeof row), line);
  writers_mark(cone, question,
               map_get(&cone->whole_writers, (const char *)&touch->table, sizeof touch->table), line);
}

/* N2: with any observation of a transaction all its statements; N3: those that are observed. */
static void roots_mark(Cone *cone, const ConeQuestion *question) {
  uint32_t line = 0;
  for (uint32_t i = 0; i < question->observations->count; i++) {
    const Observation *each = &question->observations->items[i];
    if (!question->kept[i]) continue;
    if (each->kind == OBSERVED_FINAL) { /* the last state */
      writers_mark(cone, question, &cone->every_writer, cone->log->lines.count);
      continue;
    }
    while (cone->log->lines.items[line] != each->line) line++;
    if (!question->by_statement || (each->kind == OBSERVED_COMMITTED && each->line == question->failing))
      transaction_mark(cone, line);
    else if (observation_is_of_operation(each->kind))
      spot_mark(cone, cone->first_spot[line] + each->operation);
  }
}

const bool *const *cone_mark(Cone *cone, const ConeQuestion *question) {
  for (uint32_t i = 0; i < cone->spots.count; i++)
    cone->marks[cone->spots.items[i].line][cone->spots.items[i].operation] = false;
  cone->open.count = 0;
  roots_mark(cone, question);
  while (cone->open.count) {
    const Spot *spot = &cone->spots.items[cone->open.items[--cone->open.count]];
    for (uint32_t i = 0; i < spot->count; i++)
      touch_follow(cone, question, &cone->touches.items[spot->first + i], spot->line);
  }
  return (const bool *const *)cone->marks;
}

void cone_select(Cone *cone, const Observations *observations, const Line *failing, bool is_given,
                 bool *selected) {
  for (uint32_t i = 0; i < observations->count; i++) selected[i] = observations->items[i].line == failing;
  ConeQuestion question = {.observations = observations,
                           .kept = selected,
                           .is_given = is_given,
                           .by_statement = true,
                           .failing = failing};
  const bool *const *marks = cone_mark(cone, &question);
  uint32_t line = 0;
  for (uint32_t i = 0; i < observations->count; i++) {
    const Observation *each = &observations->items[i];
    if (each->line->kind != LINE_TRANSACTION || selected[i]) continue;
    while (cone->log->lines.items[line] != each->line) line++;
    bool is_of_operation = observation_is_of_operation(each->kind);
    uint32_t first = is_of_operation ? each->operation : 0;
    uint32_t end = is_of_operation ? first + 1 : each->line->transaction.operation_count;
    for (uint32_t k = first; k < end; k++) selected[i] |= marks[line][k];
  }
}

bool cone_is_empty(const Cone *cone) {
  for (uint32_t i = 0; i < cone->spots.count; i++) {
    const Spot *spot = &cone->spots.items[i];
    if (spot->count && cone->marks[spot->line][spot->operation]) return false;
  }
  return true;
}
