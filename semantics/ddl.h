/* ddl.h: CREATE and DROP of tables, indexes, views and procedures: part of the state, undone like rows. */
#ifndef ALIBI_SEMANTICS_DDL_H
#define ALIBI_SEMANTICS_DDL_H

#include "semantics/effect.h"

bool ddl_run(Effect *effect, const Statement *statement);
/* ddl_object.c */
bool ddl_create_view(Effect *effect, const Statement *statement);
bool ddl_drop_views(Effect *effect, const Statement *statement);
bool ddl_create_procedure(Effect *effect, const Statement *statement);
bool ddl_drop_procedures(Effect *effect, const Statement *statement);
/* Does the text of any view name this table? */
bool ddl_view_uses(Effect *effect, const char *table_name);

#endif
