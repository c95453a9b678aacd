/* decode_transaction.c: transaction lines and their operations, SQL or key-value. */
#include "src/transcript/decode.h"

#include <string.h>

/* ---- SQL operations --------------------------------------------------------------- */

static bool decode_params(const Decoder *decoder, const json_t *object, const Path *path,
                          Operation *operation) {
  const json_t *params = json_object_get(object, "params");
  if (!params) return true;
  Path inner = {path, "params", 0};
  operation->params_are_named = json_is_object(params);
  if (!json_is_array(params) && !json_is_object(params))
    return decode_expected(decoder, &inner, "an array or an object", params);
  size_t count = json_is_array(params) ? json_array_size(params) : json_object_size(params);
  operation->param_count = (uint32_t)count;
  operation->params = ARENA_ARRAY(decoder->arena, NamedParam, count);
  size_t index = 0;
  const char *name;
  json_t *value;
  if (json_is_array(params)) {
    json_array_foreach(params, index, value) {
      Path place = {&inner, NULL, index};
      if (!decode_scalar(decoder, value, &place, &operation->params[index].value)) return false;
    }
    return true;
  }
  json_object_foreach((json_t *)params, name, value) {
    NamedParam *param = &operation->params[index++];
    param->name_length = (uint32_t)strlen(name);
    param->name = arena_text(decoder->arena, name, param->name_length);
    if (!decode_scalar(decoder, value, &(Path){&inner, param->name, 0}, &param->value)) return false;
  }
  return true;
}

static bool decode_results(const Decoder *decoder, const json_t *object, const Path *path,
                           Operation *operation) {
  const json_t *rows = json_object_get(object, "rows"), *results = json_object_get(object, "results");
  Path rows_path = {path, "rows", 0}, results_path = {path, "results", 0};
  if (rows && results) return decode_fail(decoder, &results_path, "given together with 'rows'");
  operation->has_rows = rows || results;
  operation->has_results = results;
  if (rows) {
    int64_t width = operation->has_columns ? (int64_t)operation->column_count : -1;
    operation->result_count = 1;
    operation->results = ARENA_NEW(decoder->arena, ObservedRows);
    return decode_rows(decoder, rows, &rows_path, width, operation->results);
  }
  if (!results) return true;
  if (!json_is_array(results))
    return decode_expected(decoder, &results_path, "an array of result sets", results);
  operation->result_count = (uint32_t)json_array_size(results);
  operation->results = ARENA_ARRAY(decoder->arena, ObservedRows, operation->result_count);
  for (uint32_t i = 0; i < operation->result_count; i++) {
    Path inner = {&results_path, NULL, i};
    if (!decode_rows(decoder, json_array_get(results, i), &inner, -1, &operation->results[i])) return false;
  }
  return true;
}

static bool decode_sql(Decoder *decoder, const json_t *object, const Path *path, Operation *operation) {
  static const char *const known[] = {"sql",   "params", "rows", "columns", "results",  "affected",
                                      "error", "start",  "end",  "meta",    "snapshot", NULL};
  const json_t *sql = json_object_get(object, "sql");
  operation->kind = OPERATION_SQL;
  operation->sql_length = (uint32_t)json_string_length(sql);
  operation->has_columns = json_object_get(object, "columns") != NULL;
  decode_unknown(decoder, object, path, known);
  return decode_string(decoder, object, path, "sql", &operation->sql) &&
         decode_params(decoder, object, path, operation) &&
         decode_columns(decoder, object, path, &operation->column_count, &operation->columns) &&
         decode_results(decoder, object, path, operation) &&
         decode_integer(decoder, object, path, "affected", &operation->has_affected, &operation->affected) &&
         decode_bool(decoder, object, path, "meta", &operation->meta);
}

/* ---- Key-value operations ----------------------------------------------------------- */

static bool decode_key_value(Decoder *decoder, const json_t *object, const Path *path, const char *verb,
                             Operation *operation) {
  const char *known[] = {verb, "error", "start", "end", "meta", "snapshot", NULL};
  const json_t *pair = json_object_get(object, verb);
  Path inner = {path, verb, 0};
  if (!json_is_array(pair) || json_array_size(pair) != 2)
    return decode_fail(decoder, &inner, "expected an array of two: the object's name and a value");
  const json_t *key = json_array_get(pair, 0);
  if (json_is_string(key))
    operation->object = decode_copy(decoder, key);
  else if (json_is_integer(key))
    operation->object = arena_format(decoder->arena, "%lld", (long long)json_integer_value(key));
  else
    return decode_expected(decoder, &(Path){&inner, NULL, 0}, "a string or an integer", key);
  decode_unknown(decoder, object, path, known);
  return decode_list(decoder, json_array_get(pair, 1), &(Path){&inner, NULL, 1}, &operation->argument) &&
         decode_bool(decoder, object, path, "meta", &operation->meta);
}

/* ---- Operations ------------------------------------------------------------------------ */

static const struct {
  const char *field;
  OperationKind kind;
} verbs[] = {
    {"sql", OPERATION_SQL}, {"r", OPERATION_READ}, {"w", OPERATION_WRITE}, {"append", OPERATION_APPEND}};

static bool decode_operation(Decoder *decoder, const json_t *object, const Path *path, Operation *operation) {
  if (!json_is_object(object)) return decode_expected(decoder, path, "an operation (an object)", object);
  const char *verb = NULL;
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
    if (!json_object_get(object, verbs[i].field)) continue;
    if (verb) return decode_fail(decoder, path, "an operation with both '%s' and '%s'", verb, verbs[i].field);
    verb = verbs[i].field;
    operation->kind = verbs[i].kind;
  }
  if (!verb) return decode_fail(decoder, &(Path){path, "sql", 0}, "missing");
  bool done = operation->kind == OPERATION_SQL ? decode_sql(decoder, object, path, operation)
                                               : decode_key_value(decoder, object, path, verb, operation);
  return done && decode_string(decoder, object, path, "error", &operation->error) &&
         decode_string(decoder, object, path, "snapshot", &operation->snapshot) &&
         decode_interval(decoder, object, path, "start", false, &operation->start) &&
         decode_interval(decoder, object, path, "end", true, &operation->end);
}

static bool decode_status(const Decoder *decoder, const json_t *root, Status *status) {
  const char *word = "committed";
  if (!decode_string(decoder, root, NULL, "status", &word)) return false;
  if (strcmp(word, "committed") == 0)
    *status = STATUS_COMMITTED;
  else if (strcmp(word, "aborted") == 0)
    *status = STATUS_ABORTED;
  else if (strcmp(word, "unknown") == 0)
    *status = STATUS_UNKNOWN;
  else
    return decode_fail(decoder, &(Path){NULL, "status", 0},
                       "expected committed, aborted or unknown, got '%s'", word);
  return true;
}

bool decode_transaction(Decoder *decoder, Transaction *transaction) {
  static const char *const known[] = {"txn", "session", "status", "start",    "commit", "level",
                                      "ops", "hint",    "xid",    "snapshot", NULL};
  const json_t *root = decoder->json->root, *ops = json_object_get(root, "ops");
  *transaction = (Transaction){0};
  if (!decode_name(decoder, root, NULL, "txn", &transaction->name) ||
      !decode_name(decoder, root, NULL, "session", &transaction->session) ||
      !decode_status(decoder, root, &transaction->status) ||
      !decode_interval(decoder, root, NULL, "start", false, &transaction->start) ||
      !decode_interval(decoder, root, NULL, "commit", true, &transaction->commit) ||
      !decode_string(decoder, root, NULL, "level", &transaction->level) ||
      !decode_integer(decoder, root, NULL, "hint", &transaction->has_hint, &transaction->hint) ||
      !decode_name(decoder, root, NULL, "xid", &transaction->xid) ||
      !decode_string(decoder, root, NULL, "snapshot", &transaction->snapshot))
    return false;
  transaction->name_is_integer = json_is_integer(json_object_get(root, "txn"));
  Path path = {NULL, "ops", 0};
  if (!ops) return decode_fail(decoder, &path, "missing");
  if (!json_is_array(ops)) return decode_expected(decoder, &path, "an array of operations", ops);
  transaction->operation_count = (uint32_t)json_array_size(ops);
  transaction->operations = ARENA_ARRAY(decoder->arena, Operation, transaction->operation_count);
  for (uint32_t i = 0; i < transaction->operation_count; i++)
    if (!decode_operation(decoder, json_array_get(ops, i), &(Path){&path, NULL, i},
                          &transaction->operations[i]))
      return false;
  decode_unknown(decoder, root, NULL, known);
  return true;
}
