/* driver.c: the table of drivers, and reading a reply's cells. */
#include "src/live/driver.h"

#include "src/live/address.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Scheme {
  const char *name;
  const Driver *(*driver)(void);
  const char *library;
} Scheme;

static const Scheme SCHEMES[] = {
    {"sqlite", driver_sqlite, "libsqlite3"},  {"postgresql", driver_postgresql, "libpq"},
    {"postgres", driver_postgresql, "libpq"}, {"mariadb", driver_mariadb, "libmariadb"},
    {"mysql", driver_mariadb, "libmariadb"},
};

const Driver *driver_find(const char *url, Diag *diag) {
  size_t length = strcspn(url, ":");
  for (size_t i = 0; url[length] && i < sizeof SCHEMES / sizeof *SCHEMES; i++) {
    const Scheme *scheme = &SCHEMES[i];
    if (strlen(scheme->name) != length || strncmp(url, scheme->name, length)) continue;
    const Driver *driver = scheme->driver();
    if (!driver)
      diag_fail(diag, PLACE_NONE, "%s: this alibi was built without %s", scheme->name, scheme->library);
    return driver;
  }
  address_fail(url, "not a database URL: sqlite:[FILE], postgresql://..., mariadb://...", diag);
  return NULL;
}

void driver_run(Connection *connection, Arena *arena, const char *sql, Reply *reply) {
  Request request = {.sql = sql};
  *reply = (Reply){0};
  connection->driver->execute(connection, arena, &request, reply);
}

uint32_t reply_row_count(const Reply *reply) { return reply->result_count ? reply->results[0].count : 0; }

const Observed *reply_cell(const Reply *reply, uint32_t row, uint32_t column) {
  if (row >= reply_row_count(reply)) return NULL;
  const ObservedRow *cells = &reply->results[0].rows[row];
  return column < cells->count ? &cells->cells[column] : NULL;
}

int64_t reply_int(const Reply *reply, uint32_t row, uint32_t column) {
  const Observed *cell = reply_cell(reply, row, column);
  if (!cell) return 0;
  switch (cell->value.kind) {
  case VALUE_BOOL:
  case VALUE_INT: return cell->value.integer;
  case VALUE_DOUBLE: return (int64_t)cell->value.real;
  case VALUE_TEXT: return strtoll(cell->value.text, NULL, 10);
  default: return 0;
  }
}

int64_t reply_cents(const Reply *reply, uint32_t row, uint32_t column) {
  const Observed *cell = reply_cell(reply, row, column);
  if (!cell) return 0;
  switch (cell->value.kind) {
  case VALUE_INT: return cell->value.integer * 100;
  case VALUE_DOUBLE: return llround(cell->value.real * 100);
  case VALUE_TEXT: return llround(strtod(cell->value.text, NULL) * 100);
  default: return 0;
  }
}

const char *reply_text(Arena *arena, const Reply *reply, uint32_t row, uint32_t column) {
  const Observed *cell = reply_cell(reply, row, column);
  if (!cell) return "";
  switch (cell->value.kind) {
  case VALUE_BOOL: return cell->value.integer ? "1" : "0";
  case VALUE_INT: return arena_format(arena, "%lld", (long long)cell->value.integer);
  case VALUE_TEXT: return cell->value.text;
  case VALUE_DOUBLE: return cell->text;
  default: return "";
  }
}
