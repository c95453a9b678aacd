/* fast_operation.c: operations, SQL and key-value. */
#include "src/transcript/fast_internal.h"

/* ---- Operations ------------------------------------------------------------------------ */

static bool param_is_new(const Fast *fast, uint32_t from, const NamedParam *param) {
  for (uint32_t i = from; i < fast->scratch->params.count; i++) {
    const NamedParam *other = &fast->scratch->params.items[i];
    if (other->name_length == param->name_length && memcmp(other->name, param->name, param->name_length) == 0)
      return false;
  }
  return fast->scratch->params.count - from < 32; /* the search is quadratic */
}

static bool read_params(Fast *fast, Operation *operation) {
  FastToken *token = &fast->token;
  operation->params_are_named = *token->at == '{';
  char close = operation->params_are_named ? '}' : ']';
  uint32_t from = fast->scratch->params.count;
  for (bool more = token_open(token, operation->params_are_named ? '{' : '[', close); more;
       more = token_more(token, close)) {
    NamedParam param = {0};
    if (operation->params_are_named) {
      if (!token_string(token, fast->arena, &param.name, &param.name_length)) return false;
      if (!token_colon(token) || !param_is_new(fast, from, &param)) return false;
      fast_end(fast, param.name + param.name_length);
    }
    if (!fast_value(fast, &param.value)) return false;
    ARRAY_PUSH(&fast->scratch->params, param);
  }
  if (token->failed) return false;
  TAKE(fast, &fast->scratch->params, from, operation->param_count, operation->params);
  return true;
}

static bool read_one_result(Fast *fast, Operation *operation) {
  operation->has_rows = true;
  operation->result_count = 1;
  operation->results = arena_alloc(fast->arena, sizeof *operation->results);
  return fast_rows(fast, operation->results);
}

static bool read_results(Fast *fast, Operation *operation) {
  operation->has_rows = operation->has_results = true;
  uint32_t from = fast->scratch->results.count;
  for (bool more = token_open(&fast->token, '[', ']'); more; more = token_more(&fast->token, ']')) {
    ObservedRows rows;
    if (!fast_rows(fast, &rows)) return false;
    ARRAY_PUSH(&fast->scratch->results, rows);
  }
  if (fast->token.failed) return false;
  TAKE(fast, &fast->scratch->results, from, operation->result_count, operation->results);
  return true;
}

/* ["key", value] of a key-value operation. */
static bool read_pair(Fast *fast, OperationKind kind, Operation *operation) {
  operation->kind = (uint8_t)kind;
  return token_open(&fast->token, '[', ']') && fast_name(fast, &operation->object) &&
         token_more(&fast->token, ']') && fast_list(fast, &operation->argument) &&
         !token_more(&fast->token, ']') && !fast->token.failed;
}

/* ---- One function per field ------------------------------------------------------- */

enum { VERB, PARAMS, ROWS, COLUMNS, AFFECTED, ERROR_CODE, START, END, META, SNAPSHOT };
enum { SQL_ONLY = 1u << PARAMS | 1u << ROWS | 1u << COLUMNS | 1u << AFFECTED };

static bool field_sql(Fast *fast, void *target) {
  Operation *operation = target;
  if (!token_string(&fast->token, fast->arena, &operation->sql, &operation->sql_length)) return false;
  fast_end(fast, operation->sql + operation->sql_length);
  return true;
}
static bool field_read(Fast *fast, void *target) { return read_pair(fast, OPERATION_READ, target); }
static bool field_write(Fast *fast, void *target) { return read_pair(fast, OPERATION_WRITE, target); }
static bool field_append(Fast *fast, void *target) { return read_pair(fast, OPERATION_APPEND, target); }
static bool field_params(Fast *fast, void *target) { return read_params(fast, target); }
static bool field_rows(Fast *fast, void *target) { return read_one_result(fast, target); }
static bool field_results(Fast *fast, void *target) { return read_results(fast, target); }
static bool field_error(Fast *fast, void *target) { return fast_text(fast, &((Operation *)target)->error); }
static bool field_snapshot(Fast *fast, void *target) {
  return fast_text(fast, &((Operation *)target)->snapshot);
}
static bool field_start(Fast *fast, void *target) {
  return fast_interval(fast, false, &((Operation *)target)->start);
}
static bool field_end(Fast *fast, void *target) {
  return fast_interval(fast, true, &((Operation *)target)->end);
}
static bool field_columns(Fast *fast, void *target) {
  Operation *operation = target;
  operation->has_columns = true;
  return fast_columns(fast, &operation->column_count, &operation->columns);
}
static bool field_affected(Fast *fast, void *target) {
  Operation *operation = target;
  operation->has_affected = true;
  return token_integer(&fast->token, &operation->affected);
}
static bool field_meta(Fast *fast, void *target) {
  Operation *operation = target;
  operation->meta = *fast->token.at == 't';
  return operation->meta ? token_word(&fast->token, "true", 4) : token_word(&fast->token, "false", 5);
}

/* The most frequent ones first. */
static const FastField operation_fields[] = {
    FAST_FIELD("sql", VERB, field_sql),
    FAST_FIELD("rows", ROWS, field_rows),
    FAST_FIELD("affected", AFFECTED, field_affected),
    FAST_FIELD("params", PARAMS, field_params),
    FAST_FIELD("start", START, field_start),
    FAST_FIELD("end", END, field_end),
    FAST_FIELD("r", VERB, field_read),
    FAST_FIELD("w", VERB, field_write),
    FAST_FIELD("append", VERB, field_append),
    FAST_FIELD("columns", COLUMNS, field_columns),
    FAST_FIELD("error", ERROR_CODE, field_error),
    FAST_FIELD("meta", META, field_meta),
    FAST_FIELD("results", ROWS, field_results),
    FAST_FIELD("snapshot", SNAPSHOT, field_snapshot),
};
enum { OPERATION_FIELDS = sizeof operation_fields / sizeof *operation_fields };

static bool read_operation(Fast *fast, Operation *operation) {
  uint32_t seen = 0;
  *operation = (Operation){0};
  for (bool more = token_open(&fast->token, '{', '}'); more; more = token_more(&fast->token, '}')) {
    FastKey key;
    if (!token_key(&fast->token, &key)) return false;
    if (!fast_field(fast, operation_fields, OPERATION_FIELDS, key, &seen, operation)) return false;
  }
  if (fast->token.failed || !(seen & 1u << VERB)) return false;
  if (operation->kind != OPERATION_SQL && (seen & SQL_ONLY)) return false;
  bool has_one_result = operation->has_rows && !operation->has_results && operation->results->count;
  return !(operation->has_columns && has_one_result) ||
         operation->results->rows[0].count == operation->column_count;
}

bool fast_operations(Fast *fast, Transaction *transaction) {
  uint32_t from = fast->scratch->operations.count;
  for (bool more = token_open(&fast->token, '[', ']'); more; more = token_more(&fast->token, ']')) {
    Operation operation;
    if (!read_operation(fast, &operation)) return false;
    ARRAY_PUSH(&fast->scratch->operations, operation);
  }
  if (fast->token.failed) return false;
  TAKE(fast, &fast->scratch->operations, from, transaction->operation_count, transaction->operations);
  return true;
}
