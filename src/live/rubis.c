/* rubis.c: RUBiS, an auction site: users, items, purchases, comments. */
#include "src/live/workload.h"

#include <stdio.h>

enum { USERS, ITEMS, CATEGORIES, REGIONS };

static int64_t user_pick(Client *client, const Scale *scale) {
  return random_between(&client->random, 1, scale->value[USERS]);
}

static int64_t item_pick(Client *client, const Scale *scale) {
  return random_between(&client->random, 1, scale->value[ITEMS]);
}

/* A nickname in use is refused by the site, not by the database. */
static bool register_user(Client *client, const Scale *scale) {
  int64_t id = workload_fresh(client, scale->value[USERS]);
  int64_t region = random_between(&client->random, 1, scale->value[REGIONS]);
  const char *nickname = arena_format(
      &client->arena, "nick%lld", (long long)random_between(&client->random, 1, 50 * scale->value[USERS]));
  const Reply *known = client_execute(client, "SELECT id FROM users WHERE nickname = ?", "s", nickname);
  if (reply_row_count(known) > 0) return false;
  client_execute(
      client, "INSERT INTO users (id, nickname, region, rating, balance, created) VALUES (?, ?, ?, 0, 0, ?)",
      "isis", id, nickname, region, workload_time(client));
  client_execute(client, "SELECT id, nickname, rating FROM users WHERE nickname = ?", "s", nickname);
  return true;
}

static bool register_item(Client *client, const Scale *scale) {
  char name[25];
  int64_t id = workload_fresh(client, scale->value[ITEMS]), seller = user_pick(client, scale);
  int64_t category = random_between(&client->random, 1, scale->value[CATEGORIES]);
  int64_t quantity = random_between(&client->random, 1, 10),
          price = random_between(&client->random, 100, 100000);
  random_letters(&client->random, name, 24);
  client_execute(
      client,
      "INSERT INTO items (id, name, seller, category, quantity, buy_now, bids, end_date) VALUES (?, ?, ?, "
      "?, ?, ?, 0, ?)",
      "isiiims", id, name, seller, category, quantity, price, workload_time(client));
  client_execute(client, "UPDATE categories SET items = items + 1 WHERE id = ?", "i", category);
  return true;
}

static bool store_buy_now(Client *client, const Scale *scale) {
  int64_t id = workload_fresh(client, 0), item = item_pick(client, scale), buyer = user_pick(client, scale);
  int64_t quantity = random_between(&client->random, 1, 3);
  const Reply *found =
      client_execute(client, "SELECT quantity, seller, buy_now FROM items WHERE id = ?", "i", item);
  if (reply_int(found, 0, 0) < quantity) return false;
  client_execute(client, "UPDATE items SET quantity = quantity - ? WHERE id = ? AND quantity >= ?", "iii",
                 quantity, item, quantity);
  client_execute(client, "INSERT INTO buy_now (id, buyer, item, quantity, bought) VALUES (?, ?, ?, ?, ?)",
                 "iiiis", id, buyer, item, quantity, workload_time(client));
  client_execute(client, "UPDATE users SET balance = balance + ? WHERE id = ?", "mi",
                 reply_cents(found, 0, 2) * quantity, reply_int(found, 0, 1));
  return true;
}

static bool store_comment(Client *client, const Scale *scale) {
  char text[81];
  int64_t id = workload_fresh(client, 0), item = item_pick(client, scale), from = user_pick(client, scale);
  int64_t to = user_pick(client, scale), rating = random_between(&client->random, -5, 5);
  random_letters(&client->random, text, (size_t)random_between(&client->random, 10, 80));
  client_execute(
      client, "INSERT INTO comments (id, from_user, to_user, item, rating, body) VALUES (?, ?, ?, ?, ?, ?)",
      "iiiiis", id, from, to, item, rating, text);
  client_execute(client, "UPDATE users SET rating = rating + ? WHERE id = ?", "ii", rating, to);
  return true;
}

/* ---- browsing: one page of twenty rows, of one kind or another ---- */

static void browse_category(Client *client, const Scale *scale) {
  int64_t category = random_between(&client->random, 1, scale->value[CATEGORIES]);
  client_execute(
      client,
      "SELECT id, name, quantity, buy_now FROM items WHERE category = ? ORDER BY id LIMIT 20 OFFSET ?", "ii",
      category, 20 * random_between(&client->random, 0, 3));
}

static void browse_region(Client *client, const Scale *scale) {
  int64_t region = random_between(&client->random, 1, scale->value[REGIONS]);
  int64_t category = random_between(&client->random, 1, scale->value[CATEGORIES]);
  client_execute(
      client,
      "SELECT items.id, items.name, users.nickname FROM items JOIN users ON items.seller = users.id WHERE "
      "users.region = ? AND items.category = ? ORDER BY items.id LIMIT 20",
      "ii", region, category);
}

static void browse_user(Client *client, const Scale *scale) {
  int64_t user = user_pick(client, scale);
  client_execute(client, "SELECT nickname, rating, balance FROM users WHERE id = ?", "i", user);
  client_execute(
      client,
      "SELECT comments.rating, comments.body, users.nickname FROM comments LEFT JOIN users ON users.id = "
      "comments.from_user WHERE comments.to_user = ? ORDER BY comments.id DESC LIMIT 20",
      "i", user);
}

static void browse_overview(Client *client, const Scale *scale) {
  (void)scale;
  client_execute(client, "SELECT id, name, items FROM categories ORDER BY id LIMIT 20", "");
  client_execute(client, "SELECT region, COUNT(*) AS n, MAX(rating) AS best FROM users GROUP BY region", "");
}

static void browse_purchases(Client *client, const Scale *scale) {
  client_execute(
      client,
      "SELECT buy_now.id, items.name, buy_now.quantity FROM buy_now JOIN items ON items.id = buy_now.item "
      "WHERE buy_now.buyer = ? ORDER BY buy_now.id DESC LIMIT 20",
      "i", user_pick(client, scale));
}

static bool random_browse(Client *client, const Scale *scale) {
  static void (*const pages[])(Client *, const Scale *) = {browse_category, browse_region, browse_user,
                                                           browse_overview, browse_purchases};
  pages[random_between(&client->random, 0, 4)](client, scale);
  return true;
}

/* ---- the site on its first day ---- */

static const char *const SCHEMA[] = {
    "CREATE TABLE regions (id INT PRIMARY KEY, name VARCHAR(25) NOT NULL)",
    "CREATE TABLE categories (id INT PRIMARY KEY, name VARCHAR(50) NOT NULL, items INT NOT NULL)",
    "CREATE TABLE users (id BIGINT PRIMARY KEY, nickname VARCHAR(20) NOT NULL UNIQUE, region INT NOT NULL, "
    "rating INT "
    "NOT NULL, balance DECIMAL(12,2) NOT NULL, created TIMESTAMP)",
    "CREATE TABLE items (id BIGINT PRIMARY KEY, name VARCHAR(100) NOT NULL, seller BIGINT NOT NULL, category "
    "INT NOT "
    "NULL, quantity INT NOT NULL CHECK (quantity >= 0), buy_now DECIMAL(10,2), bids INT DEFAULT 0, end_date "
    "TIMESTAMP)",
    "CREATE INDEX items_category ON items (category)",
    "CREATE INDEX items_seller ON items (seller)",
    "CREATE TABLE buy_now (id BIGINT PRIMARY KEY, buyer BIGINT NOT NULL, item BIGINT NOT NULL, quantity INT "
    "NOT NULL, "
    "bought TIMESTAMP)",
    "CREATE INDEX buy_now_buyer ON buy_now (buyer)",
    "CREATE TABLE comments (id BIGINT PRIMARY KEY, from_user BIGINT NOT NULL, to_user BIGINT NOT NULL, item "
    "BIGINT NOT "
    "NULL, rating INT, body VARCHAR(80))",
    "CREATE INDEX comments_to ON comments (to_user)",
};

static void populate_lists(Population *population, const Scale *scale) {
  char name[32];
  population_table(population, "regions", "id, name");
  for (int64_t id = 1; id <= scale->value[REGIONS]; id++) {
    snprintf(name, sizeof name, "region%lld", (long long)id);
    population_row(population, "is", id, name);
  }
  population_table(population, "categories", "id, name, items");
  for (int64_t id = 1; id <= scale->value[CATEGORIES]; id++) {
    snprintf(name, sizeof name, "category%lld", (long long)id);
    population_row(population, "isi", id, name, (int64_t)0);
  }
}

static void populate_users(Population *population, const Scale *scale) {
  char nickname[32];
  population_table(population, "users", "id, nickname, region, rating, balance, created");
  for (int64_t id = 1; id <= scale->value[USERS]; id++) {
    snprintf(nickname, sizeof nickname, "user%lld", (long long)id);
    population_row(population, "isiims", id, nickname,
                   random_between(&population->random, 1, scale->value[REGIONS]), (int64_t)0, (int64_t)0,
                   "2023-12-31 00:00:00");
  }
}

static void populate_items(Population *population, const Scale *scale) {
  Random *random = &population->random;
  char name[25];
  population_table(population, "items", "id, name, seller, category, quantity, buy_now, bids, end_date");
  for (int64_t id = 1; id <= scale->value[ITEMS]; id++) {
    int64_t seller = random_between(random, 1, scale->value[USERS]);
    int64_t category = random_between(random, 1, scale->value[CATEGORIES]);
    int64_t quantity = random_between(random, 1, 20), price = random_between(random, 100, 100000);
    random_letters(random, name, 24);
    population_row(population, "isiiimis", id, name, seller, category, quantity, price, (int64_t)0,
                   "2024-12-31 00:00:00");
  }
}

static void populate(Population *population, const Scale *scale) {
  for (size_t i = 0; i < sizeof SCHEMA / sizeof *SCHEMA; i++) population_define(population, SCHEMA[i]);
  populate_lists(population, scale);
  populate_users(population, scale);
  populate_items(population, scale);
}

const Workload WORKLOAD_RUBIS = {
    .name = "rubis",
    .summary = "RUBiS: an auction site",
    .parameters = {{"users", 1000, 2, 10000000, "users at first"},
                   {"items", 4000, 1, 10000000, "items at first"},
                   {"categories", 20, 1, 10000, "categories of items"},
                   {"regions", 60, 1, 10000, "regions of users"}},
    .kinds = {{"register-user", 10, register_user},
              {"register-item", 15, register_item},
              {"store-buy-now", 15, store_buy_now},
              {"store-comment", 20, store_comment},
              {"random-browse", 40, random_browse}},
    .populate = populate,
};
