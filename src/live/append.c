/* append.c: lists that grow by one element at a time, each kept as text in one row: "1,7,12".
 *
 * Elements are unique, so a list that was read tells who wrote it and in which order.  Keys come into
 * use and go out of use as the run goes on, so that no list grows without end; a list begins with its
 * first element. */
#include "src/live/workload.h"

enum { KEYS, LONGEST, TURNOVER };

enum { MOST_STEPS = 20 };

/* The keys in use move on by one with every `turnover` transactions of the client. */
static int64_t key_pick(Client *client, const Scale *scale) {
  int64_t first = (int64_t)client->index / scale->value[TURNOVER];
  return first + random_between(&client->random, 1, scale->value[KEYS]);
}

static const char *append_sql(DialectName dialect) {
  if (dialect == DIALECT_MARIADB || dialect == DIALECT_MYSQL)
    return "INSERT INTO lists (id, elements) VALUES (?, ?) ON DUPLICATE KEY UPDATE elements = "
           "CONCAT(elements, ',', ?)";
  return "INSERT INTO lists (id, elements) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET elements = "
         "lists.elements || ',' || ?";
}

static void element_append(Client *client, int64_t key, int64_t step) {
  int64_t element = workload_fresh(client, 0) * MOST_STEPS + step;
  const char *text = arena_format(&client->arena, "%lld", (long long)element);
  client_execute(client, append_sql(client->dialect), "iss", key, text, text);
}

static void list_read(Client *client, int64_t key) {
  client_execute(client, "SELECT elements FROM lists WHERE id = ?", "i", key);
}

/* From one to `longest` steps, of which this share, in percent, are reads. */
static bool steps(Client *client, const Scale *scale, unsigned reads) {
  int64_t count = random_between(&client->random, 1, scale->value[LONGEST]);
  for (int64_t step = 0; step < count; step++) {
    int64_t key = key_pick(client, scale);
    if (random_percent(&client->random, reads))
      list_read(client, key);
    else
      element_append(client, key, step);
  }
  return true;
}

static bool append_only(Client *client, const Scale *scale) { return steps(client, scale, 0); }
static bool mixed(Client *client, const Scale *scale) { return steps(client, scale, 50); }
static bool read_only(Client *client, const Scale *scale) { return steps(client, scale, 100); }

static void populate(Population *population, const Scale *scale) {
  (void)scale;
  population_define(population, "CREATE TABLE lists (id INT PRIMARY KEY, elements TEXT NOT NULL)");
}

const Workload WORKLOAD_APPEND = {
    .name = "append",
    .summary = "list-append: lists in a text column, read and appended to",
    .parameters = {{"keys", 10, 1, 1000000, "lists in use at a time"},
                   {"longest", 4, 1, MOST_STEPS, "statements of a transaction, at most"},
                   {"turnover", 10, 1, 1000000,
                    "transactions of a client until the next list comes into use"}},
    .kinds = {{"append", 30, append_only}, {"mixed", 50, mixed}, {"read", 20, read_only}},
    .populate = populate,
};
