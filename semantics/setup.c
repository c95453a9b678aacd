/* setup.c: state 0: statements of set-up lines, and rows given without SQL.
 *
 * A set-up text is cut into its statements, which are run one by one.  What our grammar does not take goes
 * to the arbiter: SQL to it is set aside, anything else is bad input. */
#include "semantics/effect.h"

#include "semantics/constraint.h"
#include "semantics/footprint.h"
#include "semantics/foreign.h"
#include "src/sql/mirror.h"

#include <ctype.h>
#include <strings.h>

/* ---- Statements ----------------------------------------------------------------------- */

typedef struct Setup {
  Engine *engine;
  const char *text;
  Place place;
  Diag *diag;
  const char **unmodelled;
} Setup;

static Place setup_place(const Setup *setup, const char *piece, int64_t offset) {
  Place place = setup->place;
  place.offset = (piece - setup->text) + offset;
  return place;
}

/* What is set aside here, tables that it would have made included, is not known. */
static void setup_lose(Setup *setup, const char *piece, size_t length, const char *reason) {
  Engine *engine = setup->engine;
  Footprint footprint;
  Outcome outcome = {0};
  uint32_t offset;
  reason = arena_text(&engine->memory, reason, strlen(reason));
  engine_prepare(engine, piece, length, NULL, 0, &outcome, &offset, &footprint);
  engine_lose(engine, &footprint, reason);
  if (!*setup->unmodelled) *setup->unmodelled = reason;
}

static bool setup_arbitrate(Setup *setup, const char *piece, size_t length, const char *message,
                            uint32_t offset) {
  Mirror *mirror = mirror_new();
  int judged = -1;
  const char *said = NULL;
  bool is_sql = mirror_judge(mirror, piece, length, &judged, &said) != MIRROR_REJECTS ||
                statement_is_foreign(&setup->engine->schema.dialect, piece, length);
  if (is_sql)
    setup_lose(setup, piece, length, message);
  else
    diag_fail(setup->diag, setup_place(setup, piece, offset), "not SQL: %s", message);
  mirror_free(mirror);
  return is_sql;
}

static bool setup_run(Setup *setup, const char *piece, size_t length) {
  Engine *engine = setup->engine;
  Outcome outcome = engine_execute(engine, piece, length, NULL, 0);
  switch (outcome.kind) {
  case OUTCOME_DONE: return true;
  case OUTCOME_ERROR:
    return diag_fail(setup->diag, setup_place(setup, piece, 0), "the set-up statement fails: %s",
                     outcome.reason ? outcome.reason : "an SQL error");
  default: break;
  }
  Footprint footprint;
  Outcome ignored = {0};
  uint32_t offset;
  const char *reason = outcome.reason ? outcome.reason : "not modelled";
  PrepareAnswer answer = engine_prepare(engine, piece, length, NULL, 0, &ignored, &offset, &footprint);
  if (answer == PREPARE_SYNTAX) return setup_arbitrate(setup, piece, length, reason, offset);
  setup_lose(setup, piece, length, reason);
  return true;
}

/* ---- Cutting a text that does not parse as a whole ------------------------------------------ */

static bool token_is(const char *text, const Token *token, const char *word) {
  return token->length == strlen(word) && strncasecmp(text + token->offset, word, token->length) == 0;
}

/* Bodies of procedures hold semicolons of their own. */
static bool setup_pieces(Setup *setup, const Tokens *tokens, size_t length) {
  uint32_t start = 0, depth = 0;
  bool in_procedure = false, is_empty = true;
  for (uint32_t i = 0; i < tokens->tokens.count; i++) {
    const Token *token = &tokens->tokens.items[i];
    if (token_is(setup->text, token, "PROCEDURE") || token_is(setup->text, token, "FUNCTION") ||
        token_is(setup->text, token, "TRIGGER") || token_is(setup->text, token, "EVENT"))
      in_procedure = true;
    if (in_procedure) depth = block_depth(setup->text, tokens, &i, depth);
    bool is_end = i + 1 >= tokens->tokens.count;
    is_empty = is_empty && (token->length == 0 || token_is(setup->text, token, ";"));
    if (!is_end && (depth || !token_is(setup->text, token, ";"))) continue;
    uint32_t end = is_end ? (uint32_t)length : token->offset;
    if (!is_empty && !setup_run(setup, setup->text + start, end - start)) return false;
    start = end + 1;
    in_procedure = false;
    is_empty = true;
  }
  return true;
}

static bool setup_all(Setup *setup, size_t length) {
  Engine *engine = setup->engine;
  Arena arena;
  Tokens tokens;
  Parse parse = {0};
  arena_init(&arena);
  bool is_cut = tokens_scan(&engine->schema.dialect, &arena, setup->text, length, &tokens);
  bool is_fine = true;
  if (!is_cut) {
    is_fine =
        diag_fail(setup->diag, setup_place(setup, setup->text, tokens.error_offset), "%s", tokens.error);
  } else {
    ParseAnswer answer = parse_tokens(&engine->schema.dialect, &arena, setup->text, &tokens, &parse);
    if (answer == PARSE_OK)
      for (uint32_t i = 0; i < parse.statements.count && is_fine; i++)
        is_fine = setup_run(setup, setup->text + parse.statements.items[i]->offset,
                            parse.statements.items[i]->length);
    else if (answer != PARSE_EMPTY)
      is_fine = setup_pieces(setup, &tokens, length);
  }
  arena_free(&arena);
  return is_fine;
}

bool engine_setup(Engine *engine, const char *sql, size_t length, Place place, Diag *diag,
                  const char **unmodelled) {
  Setup setup = {.engine = engine, .text = sql, .place = place, .diag = diag, .unmodelled = unmodelled};
  bool is_own = !engine->in_transaction;
  *unmodelled = NULL;
  if (is_own) engine_begin(engine, 0);
  bool is_fine = setup_all(&setup, length);
  if (is_own) engine_commit(engine);
  return is_fine && !*unmodelled;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* A JSON value has no SQL type but what its kind says; a string is an untyped literal. */
static Type given_type(Value value) {
  switch (value.kind) {
  case VALUE_BOOL: return type_of(TYPE_BOOL);
  case VALUE_INT:
  case VALUE_UINT: return type_int(8);
  case VALUE_DOUBLE: return type_of(TYPE_DOUBLE);
  default: return type_of(TYPE_UNKNOWN);
  }
}

static int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  digit = (char)tolower((unsigned char)digit);
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* "\x6869" into a column of bytes. */
static Value blob_of_text(Arena *arena, Value value, Type type) {
  bool takes_bytes = type.kind == TYPE_BLOB || (type.kind == TYPE_DYNAMIC && type.affinity == AFFINITY_BLOB);
  if (!takes_bytes || value.kind != VALUE_TEXT || value.length < 2 || value.length % 2 ||
      memcmp(value.text, "\\x", 2) != 0)
    return value;
  uint32_t count = (value.length - 2) / 2;
  char *bytes = arena_alloc(arena, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    int high = hex_digit(value.text[2 + 2 * i]), low = hex_digit(value.text[3 + 2 * i]);
    if (high < 0 || low < 0) return value;
    bytes[i] = (char)(high * 16 + low);
  }
  return value_blob(bytes, count);
}

static Value given_store(Effect *effect, Value value, const Column *column) {
  value = blob_of_text(effect->eval->arena, value, column->type);
  if (value.kind == VALUE_BOOL && !dialect_is_postgres(effect_dialect(effect)))
    value = value_int(value.integer);
  return effect_store(effect, value, given_type(value), column);
}

/* The alternatives of a cell are values of its column. */
static Value given_doubt(Effect *effect, Value value, const Column *column) {
  Doubts *doubts = &effect->engine->doubts;
  uint32_t id = value.doubt;
  doubts->doubts.items[id].type = column->type;
  if (doubts->doubts.items[id].kind != DOUBT_IN) return value;
  Value list = doubts->doubts.items[id].value;
  Value *items = arena_alloc(&doubts->arena, (list.length + 1) * sizeof *items);
  for (uint32_t i = 0; i < list.length && !effect->eval->abort; i++)
    items[i] = value_copy(&doubts->arena, given_store(effect, list.items[i], column));
  doubts->doubts.items[id].value = (Value){.kind = VALUE_LIST, .length = list.length, .items = items};
  return value;
}

static bool load_value(Effect *effect, const Table *table, uint32_t column, Value given, Value *value,
                       Place place, Diag *diag) {
  const Column *target = &table->columns[column];
  *value =
      given.kind == VALUE_DOUBT ? given_doubt(effect, given, target) : given_store(effect, given, target);
  Eval *eval = effect->eval;
  if (!eval->abort) return true;
  return diag_fail(diag, place, "column '%s': %s%s", target->name, eval->reason ? eval->reason : "bad value",
                   eval->abort == ABORT_ERROR ? "" : " is not modelled");
}

static bool load_missing(Effect *effect, const Table *table, uint32_t column, Value *value, Place place,
                         Diag *diag) {
  if ((int32_t)column == key_column(table)) {
    *value = key_generate(effect, table, column, false);
    return true;
  }
  *value = effect_default(effect, table, column);
  if (!effect->eval->abort) return true;
  return diag_fail(diag, place, "the default of column '%s' is not modelled", table->columns[column].name);
}

static bool load_check(Effect *effect, const Table *table, const Value *row, Place place, Diag *diag) {
  if (!constraint_row(effect, table, row)) effect->eval->abort = ABORT_NONE;
  if (!constraint_unique(effect, table, row, NULL)) effect->eval->abort = ABORT_NONE;
  if (!effect->errors) return true;
  return diag_fail(diag, place, "%s", effect->outcome->reason);
}

bool engine_load_row(Engine *engine, Table *table, const uint32_t *columns, uint32_t count,
                     const Value *values, Place place, Diag *diag) {
  arena_clear(&engine->scratch);
  engine->statement_doubts = UINT32_MAX;
  Outcome outcome = {0};
  Eval eval = engine_eval(engine, &engine->scratch, NULL);
  eval.in_write = true;
  Effect effect = {.engine = engine, .eval = &eval, .outcome = &outcome, .results = &engine->scratch};
  Value *row = arena_alloc(&engine->scratch, (table->column_count + 1) * sizeof *row);
  bool *given = ARENA_ARRAY(&engine->scratch, bool, table->column_count + 1);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t column = columns ? columns[i] : i;
    if (!load_value(&effect, table, column, values[i], &row[column], place, diag)) return false;
    given[column] = !key_is_generated(&effect, table, column, row[column]) || row[column].kind == VALUE_INT;
    if (given[column]) key_given(&effect, table, column, row[column]);
  }
  for (uint32_t i = 0; i < table->column_count; i++)
    if (!given[i] && !load_missing(&effect, table, i, &row[i], place, diag)) return false;
  if (!load_check(&effect, table, row, place, diag)) return false;
  /* Rows of state 0 may come before the rows they refer to. */
  Key *key = store_insert(engine->store, table, row, row_rowid(table, row));
  cells_added(engine, table, key, row);
  return true;
}
