/* ddl_object.c: views and procedures: their texts are kept and read again where they are used. */
#include "semantics/ddl.h"

#include "semantics/procedure.h"

#include <strings.h>

/* ---- Views ---------------------------------------------------------------------------- */

static void undo_create_view(void *context, void *object, uint64_t number) {
  Engine *engine = context;
  (void)number;
  schema_unlink_view(&engine->schema, object);
}

static void undo_drop_view(void *context, void *object, uint64_t number) {
  Engine *engine = context;
  (void)number;
  schema_link_view(&engine->schema, object);
}

static void drop_view(Engine *engine, View *view) {
  schema_unlink_view(&engine->schema, view);
  store_push_undo(engine->store, undo_drop_view, engine, view, 0);
}

static View *view_new(Schema *schema, const CreateView *create, const char *text) {
  Arena *arena = &schema->arena;
  View *view = ARENA_NEW(arena, View);
  view->name = arena_text(arena, create->name, strlen(create->name));
  view->text = arena_text(arena, text + create->text_offset, create->text_length);
  view->text_length = create->text_length;
  for (uint32_t i = 0; i < create->columns.count; i++)
    ARENA_PUSH(arena, &view->columns,
               arena_text(arena, create->columns.items[i], strlen(create->columns.items[i])));
  return view;
}

bool ddl_create_view(Effect *effect, const Statement *statement) {
  Engine *engine = effect->engine;
  const CreateView *create = statement->create_view;
  View *old = schema_view(&engine->schema, create->name);
  if (schema_table(&engine->schema, create->name) || (old && !create->or_replace)) {
    if (create->if_not_exists) return true;
    return effect_fail(effect, ERROR_DUPLICATE_OBJECT, "table '%s' exists already", create->name);
  }
  if (old) drop_view(engine, old);
  View *view = view_new(&engine->schema, create, effect->text);
  schema_link_view(&engine->schema, view);
  store_push_undo(engine->store, undo_create_view, engine, view, 0);
  return true;
}

bool ddl_drop_views(Effect *effect, const Statement *statement) {
  Engine *engine = effect->engine;
  for (uint32_t i = 0; i < statement->drop.names.count; i++) {
    const char *name = statement->drop.names.items[i];
    View *view = schema_view(&engine->schema, name);
    if (view) {
      if (effect_dialect(effect)->name == DIALECT_POSTGRESQL && ddl_view_uses(effect, name)) {
        eval_unmodelled(effect->eval, "dropping a view that another view uses");
        return false;
      }
      drop_view(engine, view);
    } else if (!statement->drop.if_exists) {
      return effect_fail(effect, ERROR_NO_TABLE, "no view '%s'", name);
    }
  }
  return true;
}

static bool view_names(Effect *effect, const View *view, const char *name) {
  Tokens tokens;
  tokens_scan(effect_dialect(effect), effect->eval->arena, view->text, view->text_length, &tokens);
  size_t length = strlen(name);
  for (uint32_t i = 0; i < tokens.tokens.count; i++) {
    const Token *token = &tokens.tokens.items[i];
    if (token->input >= 0 || !token->text) continue;
    bool is_same = token->flags & TOKEN_QUOTED
                       ? strcasecmp(token->text, name) == 0
                       : token->length == length && strncasecmp(token->text, name, length) == 0;
    if (is_same) return true;
  }
  return false;
}

bool ddl_view_uses(Effect *effect, const char *table_name) {
  const Map *names = &effect->engine->schema.names;
  for (uint32_t i = 0; i < names->room; i++) {
    const SchemaEntry *entry = names->slots[i].value;
    if (entry && entry->view && strcmp(entry->view->name, table_name) != 0 &&
        view_names(effect, entry->view, table_name))
      return true;
  }
  return false;
}

/* ---- Procedures -------------------------------------------------------------------------- */

static void undo_create_procedure(void *context, void *object, uint64_t number) {
  Engine *engine = context;
  (void)number;
  schema_unlink_procedure(&engine->schema, object);
}

static void undo_drop_procedure(void *context, void *object, uint64_t number) {
  Engine *engine = context;
  (void)number;
  schema_link_procedure(&engine->schema, object);
}

static void drop_procedure(Engine *engine, Procedure *procedure) {
  schema_unlink_procedure(&engine->schema, procedure);
  store_push_undo(engine->store, undo_drop_procedure, engine, procedure, 0);
}

static Procedure *procedure_new(Schema *schema, const Statement *statement, const char *text) {
  Arena *arena = &schema->arena;
  const CreateProcedure *create = statement->create_procedure;
  Procedure *procedure = ARENA_NEW(arena, Procedure);
  procedure->name = arena_text(arena, create->name, strlen(create->name));
  procedure->text = arena_text(arena, text + statement->offset, statement->length);
  procedure->text_length = statement->length;
  procedure->is_foreign = create->is_foreign;
  for (uint32_t i = 0; i < create->parameters.count; i++) {
    ProcedureParameter parameter = create->parameters.items[i];
    parameter.name = arena_text(arena, parameter.name, strlen(parameter.name));
    ARENA_PUSH(arena, &procedure->parameters, parameter);
  }
  return procedure;
}

bool ddl_create_procedure(Effect *effect, const Statement *statement) {
  Engine *engine = effect->engine;
  const CreateProcedure *create = statement->create_procedure;
  Procedure *old = schema_procedure(&engine->schema, create->name);
  if (old && !create->or_replace) {
    if (create->if_not_exists) return true;
    return effect_fail(effect, ERROR_DUPLICATE_OBJECT, "procedure '%s' exists already", create->name);
  }
  if (old) drop_procedure(engine, old);
  Procedure *procedure = procedure_new(&engine->schema, statement, effect->text);
  schema_link_procedure(&engine->schema, procedure);
  store_push_undo(engine->store, undo_create_procedure, engine, procedure, 0);
  return true;
}

bool ddl_drop_procedures(Effect *effect, const Statement *statement) {
  Engine *engine = effect->engine;
  for (uint32_t i = 0; i < statement->drop.names.count; i++) {
    Procedure *procedure = schema_procedure(&engine->schema, statement->drop.names.items[i]);
    if (procedure)
      drop_procedure(engine, procedure);
    else if (!statement->drop.if_exists)
      return effect_fail(effect, ERROR_NO_FUNCTION, "no procedure '%s'", statement->drop.names.items[i]);
  }
  return true;
}
