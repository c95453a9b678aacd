/* footprint.c: what a statement may have read and written.
 *
 * Of a resolved statement the tree tells.  Of any other text its words tell: the first one says whether rows
 * or the schema can have changed, and a table can have changed only if its name, or that of a view over it,
 * is there. */
#include "semantics/footprint.h"

#include "semantics/procedure.h"

#include <strings.h>

enum { VIEW_DEPTH = 8 };

/* ---- Resolved statements -------------------------------------------------------------- */

static void footprint_cascade(Engine *engine, Footprint *footprint, const Table *parent);

static void footprint_add(Engine *engine, Footprint *footprint, Table *table, bool is_written) {
  if (!is_written) {
    for (uint32_t i = 0; i < footprint->tables_read.count; i++)
      if (footprint->tables_read.items[i] == table) return;
    ARENA_PUSH(&engine->preparation, &footprint->tables_read, table);
    return;
  }
  footprint->writes = true;
  for (uint32_t i = 0; i < footprint->tables_written.count; i++)
    if (footprint->tables_written.items[i] == table) return;
  ARENA_PUSH(&engine->preparation, &footprint->tables_written, table);
  footprint_cascade(engine, footprint, table);
}

/* What refers to a row may go or change with it. */
static void footprint_cascade(Engine *engine, Footprint *footprint, const Table *parent) {
  if (!engine->schema.dialect.foreign_keys) return;
  for (uint32_t i = 0; i < parent->referenced_by.count; i++) {
    const ForeignKey *key = parent->referenced_by.items[i];
    if (key->on_delete != ACTION_NONE || key->on_update != ACTION_NONE)
      footprint_add(engine, footprint, key->child, true);
  }
}

/* Bodies that have been looked at: procedures may call one another, and themselves. */
typedef ARRAY(const Statement *) Bodies;

static void footprint_collect(Engine *engine, const Statement *statement, Footprint *footprint, Bodies *seen);

static void footprint_list(Engine *engine, const StatementList *list, Footprint *footprint, Bodies *seen) {
  for (uint32_t i = 0; i < list->count; i++) footprint_collect(engine, list->items[i], footprint, seen);
}

static void footprint_call(Engine *engine, const Statement *call, Footprint *footprint, Bodies *seen) {
  const Statement *body = procedure_body(engine, call);
  if (!body) {
    footprint->writes = footprint->writes_anything = true;
    return;
  }
  for (uint32_t i = 0; i < seen->count; i++)
    if (seen->items[i] == body) return;
  ARENA_PUSH(&engine->preparation, seen, body);
  footprint_collect(engine, body, footprint, seen);
}

static bool statement_has_flow(const Statement *statement) { return statement->kind >= STATEMENT_BLOCK; }

static void footprint_collect(Engine *engine, const Statement *statement, Footprint *footprint,
                              Bodies *seen) {
  for (uint32_t i = 0; i < statement->tables_read.count; i++)
    footprint_add(engine, footprint, statement->tables_read.items[i], false);
  for (uint32_t i = 0; i < statement->tables_written.count; i++)
    footprint_add(engine, footprint, statement->tables_written.items[i], true);
  if (statement->kind == STATEMENT_CALL) footprint_call(engine, statement, footprint, seen);
  if (!statement_has_flow(statement)) return;
  footprint_list(engine, &statement->flow->body, footprint, seen);
  for (uint32_t i = 0; i < statement->flow->branches.count; i++)
    footprint_list(engine, &statement->flow->branches.items[i].body, footprint, seen);
}

static bool names_tables(const Statement *statement) {
  return statement->kind == STATEMENT_DROP_TABLE || statement->kind == STATEMENT_TRUNCATE;
}

static void footprint_definition(Engine *engine, const Statement *statement, Footprint *footprint) {
  footprint->writes = footprint->changes_schema = true;
  if (statement->kind == STATEMENT_CREATE_INDEX && statement->create_index->unique) {
    Table *table = schema_table(&engine->schema, statement->create_index->table_name);
    if (table) footprint_add(engine, footprint, table, true);
  }
}

void footprint_of(Engine *engine, const Plan *plan, Footprint *footprint) {
  const Statement *statement = plan->statement;
  if (!statement) return;
  Bodies seen = {0};
  footprint_collect(engine, statement, footprint, &seen);
  if (names_tables(statement)) {
    for (uint32_t i = 0; i < statement->drop.names.count; i++) {
      Table *table = schema_table(&engine->schema, statement->drop.names.items[i]);
      if (table) footprint_add(engine, footprint, table, true);
    }
  }
  if (statement->kind >= STATEMENT_CREATE_TABLE && statement->kind <= STATEMENT_DROP_PROCEDURE)
    footprint_definition(engine, statement, footprint);
}

/* ---- Words --------------------------------------------------------------------------------- */

typedef struct Words {
  Engine *engine;
  const char *text;
  Tokens tokens;
} Words;

static bool word_is(const Words *words, uint32_t place, const char *word) {
  if (place >= words->tokens.tokens.count) return false;
  const Token *token = &words->tokens.tokens.items[place];
  return token->length == strlen(word) && strncasecmp(words->text + token->offset, word, token->length) == 0;
}

static bool words_have(const Words *words, const char *word) {
  for (uint32_t i = 0; i < words->tokens.tokens.count; i++)
    if (word_is(words, i, word)) return true;
  return false;
}

/* Does any of the first words (CREATE OR REPLACE TEMPORARY ...) name this kind of object? */
static bool words_start_with(const Words *words, const char *word) {
  for (uint32_t i = 0; i < 8 && i < words->tokens.tokens.count; i++) {
    if (word_is(words, i, word)) return true;
    if (word_is(words, i, "(") || word_is(words, i, "AS")) return false;
  }
  return false;
}

static const char *word_name(const Words *words, uint32_t place) {
  const Token *token = &words->tokens.tokens.items[place];
  if (token->input >= 0 || !token->length || !token->text) return NULL;
  if (token->flags & TOKEN_QUOTED) return token->text;
  return arena_text(&words->engine->preparation, token->text, token->length);
}

typedef enum Mention { MENTION_READ, MENTION_WRITTEN, MENTION_FIRST_WRITTEN } Mention;

static void words_scan(Engine *engine, const char *text, size_t length, Words *words) {
  *words = (Words){.engine = engine, .text = text};
  tokens_scan(&engine->schema.dialect, &engine->preparation, text, length, &words->tokens);
}

/* Every table among the words, through views too. */
static void words_mention(const Words *words, Mention mention, Footprint *footprint, uint32_t depth) {
  Engine *engine = words->engine;
  for (uint32_t i = 0; i < words->tokens.tokens.count; i++) {
    const char *name = word_name(words, i);
    if (!name) continue;
    Table *table = schema_table(&engine->schema, name);
    if (table) footprint_add(engine, footprint, table, mention != MENTION_READ);
    const View *view = table ? NULL : schema_view(&engine->schema, name);
    if (view && depth < VIEW_DEPTH) {
      Words inner;
      words_scan(engine, view->text, view->text_length, &inner);
      words_mention(&inner, mention, footprint, depth + 1);
    }
    if (mention == MENTION_FIRST_WRITTEN && (table || view)) mention = MENTION_READ;
  }
}

/* ---- What the first word says ------------------------------------------------------------------ */

typedef enum WordKind {
  WORD_QUERY,
  WORD_INSERT,
  WORD_WRITE,
  WORD_DEFINE,
  WORD_SILENT,
  WORD_ANYTHING
} WordKind;

static const struct {
  const char *word;
  WordKind kind;
} first_words[] = {
    {"SELECT", WORD_QUERY},     {"VALUES", WORD_QUERY},   {"SHOW", WORD_QUERY},
    {"EXPLAIN", WORD_QUERY},    {"DESCRIBE", WORD_QUERY}, {"DESC", WORD_QUERY},
    {"TABLE", WORD_QUERY},      {"WITH", WORD_QUERY},     {"INSERT", WORD_INSERT},
    {"REPLACE", WORD_INSERT},   {"UPDATE", WORD_WRITE},   {"DELETE", WORD_WRITE},
    {"MERGE", WORD_WRITE},      {"TRUNCATE", WORD_WRITE}, {"LOAD", WORD_WRITE},
    {"COPY", WORD_WRITE},       {"CREATE", WORD_DEFINE},  {"ALTER", WORD_DEFINE},
    {"DROP", WORD_DEFINE},      {"RENAME", WORD_DEFINE},  {"SET", WORD_SILENT},
    {"RESET", WORD_SILENT},     {"USE", WORD_SILENT},     {"PRAGMA", WORD_SILENT},
    {"ANALYZE", WORD_SILENT},   {"VACUUM", WORD_SILENT},  {"LOCK", WORD_SILENT},
    {"UNLOCK", WORD_SILENT},    {"GRANT", WORD_SILENT},   {"REVOKE", WORD_SILENT},
    {"COMMENT", WORD_SILENT},   {"FLUSH", WORD_SILENT},   {"CHECKPOINT", WORD_SILENT},
    {"LISTEN", WORD_SILENT},    {"NOTIFY", WORD_SILENT},  {"UNLISTEN", WORD_SILENT},
    {"SAVEPOINT", WORD_SILENT}, {"RELEASE", WORD_SILENT}, {"REINDEX", WORD_SILENT},
    {"OPTIMIZE", WORD_SILENT},  {"KILL", WORD_SILENT},    {"DECLARE", WORD_SILENT},
    {"FETCH", WORD_SILENT},     {"CLOSE", WORD_SILENT},   {"BEGIN", WORD_SILENT},
    {"START", WORD_SILENT},     {"CLUSTER", WORD_SILENT}, {"DEALLOCATE", WORD_SILENT},
};

static WordKind words_kind(const Words *words, uint32_t first) {
  for (size_t i = 0; i < sizeof first_words / sizeof *first_words; i++)
    if (word_is(words, first, first_words[i].word)) return first_words[i].kind;
  return WORD_ANYTHING;
}

/* A query writes where it holds a data-modifying WITH, EXPLAIN ANALYZE, SELECT INTO, or a function of the
 * user's. */
static bool query_writes(const Words *words, uint32_t first) {
  static const char *const writers[] = {"INSERT", "UPDATE", "DELETE", "MERGE"};
  bool is_nested =
      word_is(words, first, "WITH") || (word_is(words, first, "EXPLAIN") && words_have(words, "ANALYZE"));
  for (size_t i = 0; is_nested && i < sizeof writers / sizeof *writers; i++)
    for (uint32_t place = first; place < words->tokens.tokens.count; place++)
      if (word_is(words, place, writers[i]) && !(place && word_is(words, place - 1, "FOR"))) return true;
  return false;
}

static bool query_calls_foreign(const Words *words) {
  for (uint32_t i = 0; i < words->tokens.tokens.count; i++) {
    const char *name = word_name(words, i);
    if (name &&
        (map_find(&words->engine->foreign_functions, name) || schema_procedure(&words->engine->schema, name)))
      return true;
  }
  return false;
}

static void guess_query(const Words *words, uint32_t first, Footprint *footprint) {
  bool writes = query_writes(words, first);
  words_mention(words, writes ? MENTION_WRITTEN : MENTION_READ, footprint, 0);
  if (query_calls_foreign(words)) footprint->writes = footprint->writes_anything = true;
  if (words_have(words, "INTO") && dialect_is_postgres(&words->engine->schema.dialect))
    footprint->writes = footprint->changes_schema = true;
}

/* The name of a function whose definition is not modelled: a query that calls it may write. */
static void remember_function(const Words *words) {
  for (uint32_t i = 0; i + 1 < words->tokens.tokens.count; i++) {
    if (!word_is(words, i, "FUNCTION")) continue;
    const char *name = word_name(words, i + 1);
    if (name) map_put_copy(&words->engine->foreign_functions, name, strlen(name), words->engine);
    return;
  }
}

static void guess_definition(const Words *words, Footprint *footprint) {
  footprint->writes = footprint->changes_schema = true;
  bool creates = word_is(words, 0, "CREATE");
  if (creates && (words_start_with(words, "TRIGGER") || words_start_with(words, "RULE") ||
                  words_start_with(words, "EVENT"))) {
    footprint->writes_anything = true;
    return;
  }
  if (words_start_with(words, "FUNCTION")) remember_function(words);
  if (words_start_with(words, "FUNCTION") || words_start_with(words, "PROCEDURE") ||
      words_start_with(words, "VIEW"))
    return;
  /* A new table, or an index that is not unique, changes others only by referring to them. */
  bool is_harmless = creates && !words_have(words, "REFERENCES") &&
                     (words_start_with(words, "TABLE") || !words_have(words, "UNIQUE"));
  if (!is_harmless) words_mention(words, MENTION_WRITTEN, footprint, 0);
}

void footprint_guess(Engine *engine, const char *sql, size_t length, Footprint *footprint) {
  Words words;
  words_scan(engine, sql, length, &words);
  uint32_t first = 0;
  while (word_is(&words, first, "(")) first++;
  switch (words_kind(&words, first)) {
  case WORD_QUERY: guess_query(&words, first, footprint); break;
  case WORD_INSERT: words_mention(&words, MENTION_FIRST_WRITTEN, footprint, 0); break;
  case WORD_WRITE: words_mention(&words, MENTION_WRITTEN, footprint, 0); break;
  case WORD_DEFINE: guess_definition(&words, footprint); break;
  case WORD_SILENT: break;
  case WORD_ANYTHING:
    words_mention(&words, MENTION_WRITTEN, footprint, 0);
    footprint->writes_anything |= !footprint->tables_written.count || word_is(&words, first, "CALL") ||
                                  word_is(&words, first, "EXECUTE") || word_is(&words, first, "DO");
    footprint->writes = true;
    break;
  }
}
