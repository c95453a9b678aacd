/* schema.c: random tables: with a key of one or two columns, of text, with none, with constraints, and one
 * that refers to another. */
#include "tests/oracle/sql.h"

static void keyed_table(ModelTable *table, Draw *draw, bool is_plain, Text *create) {
  bool is_unique = !is_plain && draw_percent(draw, 15), is_text = !is_plain && draw_percent(draw, 25);
  bool is_nullable = draw_percent(draw, 60);
  table->has_key = true;
  table->column_count = draw_percent(draw, 50) ? 2 : 3;
  table->columns[0] = (ModelColumn){.name = "id", .is_key = true};
  table->columns[1] = (ModelColumn){.name = "v", .is_unique = is_unique, .is_nullable = is_nullable};
  table->columns[2] = (ModelColumn){.name = "w", .is_text = is_text, .is_nullable = true};
  text_add(create, "id INTEGER PRIMARY KEY, v INTEGER%s%s", is_nullable ? "" : " NOT NULL",
           is_unique ? " UNIQUE" : "");
  if (!is_plain && draw_percent(draw, 15))
    text_add(create, " CHECK (v %s)", draw_percent(draw, 50) ? ">= 0" : "< 6");
  if (table->column_count == 3) text_add(create, ", w %s", is_text ? "TEXT" : "INTEGER");
}

static void pair_table(ModelTable *table, Text *create) {
  table->has_key = true;
  table->column_count = 3;
  table->columns[0] = (ModelColumn){.name = "k", .is_key = true};
  table->columns[1] = (ModelColumn){.name = "l", .is_key = true};
  table->columns[2] = (ModelColumn){.name = "v", .is_nullable = true};
  text_add(create, "k INTEGER NOT NULL, l INTEGER NOT NULL, v INTEGER, PRIMARY KEY (k, l)");
}

static void text_table(ModelTable *table, Text *create) {
  table->has_key = true;
  table->column_count = 2;
  table->columns[0] = (ModelColumn){.name = "name", .is_key = true, .is_text = true};
  table->columns[1] = (ModelColumn){.name = "v", .is_nullable = true};
  text_add(create, "name VARCHAR(10) NOT NULL PRIMARY KEY, v INTEGER");
}

static void bag_table(ModelTable *table, Text *create) {
  table->column_count = 2;
  table->columns[0] = (ModelColumn){.name = "v", .is_nullable = true};
  table->columns[1] = (ModelColumn){.name = "w", .is_nullable = true};
  text_add(create, "v INTEGER, w INTEGER");
}

/* The second table refers to the first. */
static void child_table(ModelTable *table, Text *create) {
  table->has_key = true;
  table->column_count = 2;
  table->columns[0] = (ModelColumn){.name = "id", .is_key = true};
  table->columns[1] = (ModelColumn){.name = "r", .is_nullable = true, .is_reference = true};
  text_add(create, "id INTEGER PRIMARY KEY, r INTEGER REFERENCES t (id)");
}

void model_draw(Model *model, Draw *draw, bool is_plain, Text *creates) {
  *model = (Model){.is_plain = is_plain, .next_key = 7, .is_focused = draw_percent(draw, 55)};
  model->row_count = 1 + draw_below(draw, model->is_focused ? 3 : 4);
  model->table_count = !is_plain && draw_percent(draw, 40) ? 2 : 1;
  for (uint32_t i = 0; i < model->table_count; i++) {
    ModelTable *table = &model->tables[i];
    uint32_t kind = is_plain ? 0 : draw_below(draw, 100);
    table->name = i ? "u" : "t";
    text_add(&creates[i], "CREATE TABLE %s (", table->name);
    if (i && model->tables[0].columns[0].is_key && model->tables[0].columns[0].name[0] == 'i' && kind < 15)
      child_table(table, &creates[i]);
    else if (kind < 70)
      keyed_table(table, draw, is_plain, &creates[i]);
    else if (kind < 80)
      pair_table(table, &creates[i]);
    else if (kind < 88)
      text_table(table, &creates[i]);
    else
      bag_table(table, &creates[i]);
    text_add(&creates[i], ")");
  }
}
