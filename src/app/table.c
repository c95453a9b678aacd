/* table.c: cells become texts, columns get widths, and then the rows that matter are printed. */
#include "src/app/table.h"

#include "semantics/operate.h"
#include "src/transcript/emit.h"

#include <string.h>

enum { CELL_BYTES = 48, CONTEXT = 2, MOST_ROWS = 24 };

/* Lists are those of key-value histories, and written as in the transcript. */
void model_format(Value value, char *buffer, size_t size) {
  if (value.kind != VALUE_LIST) {
    value_format(buffer, size, value);
    return;
  }
  Emit emit = {0};
  emit_value(&emit, value);
  snprintf(buffer, size, "%.*s", (int)(emit.length < size ? emit.length : size), emit.text);
  emit_free(&emit);
}

void observed_format(const Observed *observed, bool is_text, char *buffer, size_t size) {
  Value value = observed->value;
  if (value.kind == VALUE_DOUBLE && observed->text)
    snprintf(buffer, size, "%.*s", (int)observed->text_length, observed->text);
  else if (value.kind == VALUE_TEXT && !is_text)
    snprintf(buffer, size, "%.*s", (int)(value.length < size ? value.length : size), value.text);
  else
    model_format(value, buffer, size);
}

/* Characters on a terminal, as far as one per code point is true. */
static int text_width(const char *text) {
  int width = 0;
  for (; *text; text++) width += (*text & 0xC0) != 0x80;
  return width;
}

/* Cuts at a character's border and says so; control characters become dots. */
static void cell_clean(char *text, size_t size) {
  size_t length = strlen(text);
  if (length + 1 >= size) {
    length = size - 5;
    while (length && (text[length] & 0xC0) == 0x80) length--;
    memcpy(text + length, "...", 4);
  }
  for (char *at = text; *at; at++)
    if ((unsigned char)*at < 0x20 || *at == 0x7F) *at = '.';
}

typedef struct Grid {
  const Comparison *comparison;
  const char *const *columns;
  uint32_t width; /* columns on each side */
  int *observed_widths, *expected_widths;
  FILE *file;
} Grid;

static bool column_is_text(const Grid *grid, uint32_t column) {
  const ResultSet *set = grid->comparison->expected;
  return column < set->column_count &&
         (type_is_text(set->column_types[column]) || set->column_types[column].kind == TYPE_DYNAMIC);
}

/* sqlite's columns have no type: the first value tells. */
static bool column_is_number(const Grid *grid, uint32_t column) {
  const Comparison *comparison = grid->comparison;
  const ResultSet *set = comparison->expected;
  if (column < set->column_count && set->column_types[column].kind != TYPE_DYNAMIC)
    return type_is_number(set->column_types[column]);
  ValueKind kind = VALUE_NULL;
  if (column < set->column_count && set->row_count)
    kind = set->rows[0].values[column].kind;
  else if (comparison->observed->count && column < comparison->observed->rows[0].count)
    kind = comparison->observed->rows[0].cells[column].value.kind;
  return kind >= VALUE_INT && kind <= VALUE_DOUBLE;
}

static bool cell_differs(const Grid *grid, Pair pair, uint32_t column) {
  if (pair.is_equal || pair.observed == PAIR_NONE || pair.expected == PAIR_NONE) return false;
  return !compare_cell(grid->comparison, pair.observed, pair.expected, column);
}

static void cell_text(const Grid *grid, Pair pair, uint32_t column, bool is_observed, char *buffer) {
  const Comparison *comparison = grid->comparison;
  char text[CELL_BYTES] = "";
  if (is_observed && pair.observed != PAIR_NONE) {
    const ObservedRow *row = &comparison->observed->rows[pair.observed];
    if (column < row->count)
      observed_format(&row->cells[column], column_is_text(grid, column), text, sizeof text);
  }
  if (!is_observed && pair.expected != PAIR_NONE && column < comparison->expected->column_count)
    value_format(text, sizeof text,
                 doubt_settle(comparison->doubts, comparison->expected->rows[pair.expected].values[column]));
  cell_clean(text, sizeof text);
  bool is_marked = text[0] && cell_differs(grid, pair, column);
  snprintf(buffer, CELL_BYTES + 4, is_marked ? "[%s]" : "%s", text);
}

static const char *column_title(const Grid *grid, uint32_t column, bool is_observed) {
  const ResultSet *set = grid->comparison->expected;
  if (is_observed && grid->columns) return grid->columns[column];
  if (column < set->column_count && set->column_names && set->column_names[column])
    return set->column_names[column];
  return "";
}

static void grid_widen(int *width, const char *text) {
  if (text_width(text) > *width) *width = text_width(text);
}

static void print_padded(const Grid *grid, const char *text, int width, bool is_right) {
  int blanks = width - text_width(text);
  if (blanks < 0) blanks = 0;
  if (is_right)
    fprintf(grid->file, "  %*s%s", blanks, "", text);
  else
    fprintf(grid->file, "  %s%*s", text, blanks, "");
}

/* A bracket of the neighbours would push numbers out of line: leave it room. */
static void print_cell(const Grid *grid, const char *text, int width, uint32_t column) {
  char padded[CELL_BYTES + 8];
  bool is_right = column_is_number(grid, column);
  bool is_marked = text[0] == '[' && text[strlen(text) - 1] == ']';
  snprintf(padded, sizeof padded, is_marked ? "%s" : is_right ? "%s " : " %s", text);
  print_padded(grid, text[0] ? padded : "", width, is_right);
}

static void print_row(const Grid *grid, Pair pair) {
  char text[CELL_BYTES + 4];
  /* Where LIMIT chooses, a row that was not observed is only one that might have been. */
  bool is_candidate = pair.observed == PAIR_NONE && grid->comparison->expected->has_slice;
  char mark = '!';
  if (pair.is_equal || is_candidate)
    mark = ' ';
  else if (pair.observed == PAIR_NONE)
    mark = '-';
  else if (pair.expected == PAIR_NONE)
    mark = '+';
  fprintf(grid->file, "  %c ", mark);
  for (uint32_t i = 0; i < grid->width; i++) {
    cell_text(grid, pair, i, true, text);
    print_cell(grid, text, grid->observed_widths[i], i);
  }
  fputs("  |", grid->file);
  for (uint32_t i = 0; i < grid->width; i++) {
    cell_text(grid, pair, i, false, text);
    print_cell(grid, text, grid->expected_widths[i], i);
  }
  fputc('\n', grid->file);
}

static void print_titles(const Grid *grid) {
  int total = 0;
  for (uint32_t i = 0; i < grid->width; i++) total += grid->observed_widths[i] + 2;
  fprintf(grid->file, "      %-*s  |  expected\n", total - 2 > 8 ? total - 2 : 8, "observed");
  fputs("    ", grid->file);
  for (int side = 0; side <= 1; side++) {
    for (uint32_t i = 0; i < grid->width; i++)
      print_cell(grid, column_title(grid, i, side == 0),
                 side ? grid->expected_widths[i] : grid->observed_widths[i], i);
    fputs(side ? "\n" : "  |", grid->file);
  }
}

/* Is the pair near enough to one that differs? */
static bool pair_matters(const Pairs *pairs, uint32_t place) {
  if (pairs->count <= MOST_ROWS / 2) return true;
  uint32_t from = place > CONTEXT ? place - CONTEXT : 0;
  for (uint32_t i = from; i < pairs->count && i <= place + CONTEXT; i++)
    if (!pairs->items[i].is_equal) return true;
  return false;
}

/* The places to print; the others are counted where they are left out. */
static void choose_rows(const Pairs *pairs, bool *chosen) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < pairs->count && count < MOST_ROWS; i++) {
    chosen[i] = pair_matters(pairs, i);
    count += chosen[i];
  }
}

static void print_left_out(const Pairs *pairs, const bool *chosen, uint32_t *place, FILE *file) {
  uint32_t equal = 0, other = 0;
  for (; *place < pairs->count && !chosen[*place]; ++*place)
    if (pairs->items[*place].is_equal)
      equal++;
    else
      other++;
  if (equal)
    fprintf(file, "      ... %u row%s that agree%s\n", equal, equal == 1 ? "" : "s", equal == 1 ? "s" : "");
  if (other)
    fprintf(file, "      ... %u more row%s that differ%s\n", other, other == 1 ? "" : "s",
            other == 1 ? "s" : "");
}

static void grid_measure(Grid *grid, const Pairs *pairs, const bool *chosen) {
  char text[CELL_BYTES + 4];
  for (uint32_t column = 0; column < grid->width; column++) {
    int *observed = &grid->observed_widths[column], *expected = &grid->expected_widths[column];
    grid_widen(observed, column_title(grid, column, true));
    grid_widen(expected, column_title(grid, column, false));
    for (uint32_t i = 0; i < pairs->count; i++) {
      if (!chosen[i]) continue;
      cell_text(grid, pairs->items[i], column, true, text);
      grid_widen(observed, text);
      cell_text(grid, pairs->items[i], column, false, text);
      grid_widen(expected, text);
    }
    *observed += 1, *expected += 1;
  }
}

/* A side without columns (no rows were seen) still has room for its title. */
static uint32_t grid_width(const Comparison *comparison) {
  uint32_t width = comparison->expected->column_count;
  if (comparison->observed->count && comparison->observed->rows[0].count > width)
    width = comparison->observed->rows[0].count;
  return width;
}

static void grid_print(const Grid *grid, const Pairs *pairs, const bool *chosen) {
  print_titles(grid);
  for (uint32_t i = 0; i < pairs->count;) {
    print_left_out(pairs, chosen, &i, grid->file);
    if (i < pairs->count) print_row(grid, pairs->items[i++]);
  }
  if (!pairs->count) fputs("      (no rows)\n", grid->file);
}

/* Columns are padded: what that leaves at the ends of lines is dropped. */
static void print_trimmed(const char *text, FILE *file) {
  while (*text) {
    size_t length = strcspn(text, "\n"), used = length;
    while (used && text[used - 1] == ' ') used--;
    fprintf(file, "%.*s\n", (int)used, text);
    text += length + (text[length] == '\n');
  }
}

void table_print(const Comparison *comparison, const char *const *columns, uint32_t column_count,
                 FILE *file) {
  Pairs pairs = {0};
  char *text = NULL;
  size_t size = 0;
  compare_rows(comparison, &pairs);
  Grid grid = {comparison, columns, grid_width(comparison), NULL, NULL, open_memstream(&text, &size)};
  if (!grid.file) fatal("out of memory");
  if (column_count != grid.width) grid.columns = NULL;
  grid.observed_widths = memory_new((grid.width + 1) * sizeof(int));
  grid.expected_widths = memory_new((grid.width + 1) * sizeof(int));
  bool *chosen = memory_new(pairs.count + 1);
  choose_rows(&pairs, chosen);
  grid_measure(&grid, &pairs, chosen);
  grid_print(&grid, &pairs, chosen);
  fclose(grid.file);
  print_trimmed(text, file);
  free(text);
  free(chosen);
  free(grid.observed_widths);
  free(grid.expected_widths);
  ARRAY_FREE(&pairs);
}
