/* smallbank.c: the SmallBank benchmark: savings and checking accounts, six short transactions.
 *
 * [Alomari, Cahill, Fekete, Rohm: The Cost of Serializability on Platforms That Use Snapshot Isolation] */
#include "src/live/workload.h"

#include <stdio.h>

enum { CUSTOMERS, HOT };

/* A quarter of the draws go to the hot customers. */
static int64_t customer_pick(Client *client, const Scale *scale) {
  int64_t customers = scale->value[CUSTOMERS],
          hot = scale->value[HOT] < customers ? scale->value[HOT] : customers;
  return random_between(&client->random, 1, random_percent(&client->random, 25) ? hot : customers);
}

static void two_customers(Client *client, const Scale *scale, int64_t *one, int64_t *other) {
  *one = customer_pick(client, scale);
  do *other = customer_pick(client, scale);
  while (*other == *one);
}

/* The customer's number, looked up by name as the benchmark has it. */
static int64_t customer_find(Client *client, int64_t customer) {
  const char *name = arena_format(&client->arena, "customer%lld", (long long)customer);
  return reply_int(client_execute(client, "SELECT custid FROM accounts WHERE name = ?", "s", name), 0, 0);
}

static int64_t savings_read(Client *client, int64_t id) {
  return reply_cents(client_execute(client, "SELECT bal FROM savings WHERE custid = ?", "i", id), 0, 0);
}

static int64_t checking_read(Client *client, int64_t id) {
  return reply_cents(client_execute(client, "SELECT bal FROM checking WHERE custid = ?", "i", id), 0, 0);
}

/* What the customer has in both accounts; the order of the reads is part of the transaction. */
static int64_t total_read(Client *client, int64_t id) {
  int64_t savings = savings_read(client, id);
  return savings + checking_read(client, id);
}

static bool amalgamate(Client *client, const Scale *scale) {
  int64_t from, to;
  two_customers(client, scale, &from, &to);
  from = customer_find(client, from);
  to = customer_find(client, to);
  int64_t total = total_read(client, from);
  client_execute(client, "UPDATE savings SET bal = 0 WHERE custid = ?", "i", from);
  client_execute(client, "UPDATE checking SET bal = 0 WHERE custid = ?", "i", from);
  client_execute(client, "UPDATE checking SET bal = bal + ? WHERE custid = ?", "mi", total, to);
  return true;
}

static bool balance(Client *client, const Scale *scale) {
  int64_t id = customer_find(client, customer_pick(client, scale));
  client_execute(
      client,
      "SELECT savings.bal + checking.bal AS total FROM savings, checking WHERE savings.custid = ? AND "
      "checking.custid = savings.custid",
      "i", id);
  return true;
}

static bool deposit_checking(Client *client, const Scale *scale) {
  int64_t id = customer_find(client, customer_pick(client, scale));
  int64_t amount = random_between(&client->random, 1, 5000);
  client_execute(client, "UPDATE checking SET bal = bal + ? WHERE custid = ?", "mi", amount, id);
  return true;
}

static bool send_payment(Client *client, const Scale *scale) {
  int64_t from, to, amount = random_between(&client->random, 1, 5000);
  two_customers(client, scale, &from, &to);
  from = customer_find(client, from);
  to = customer_find(client, to);
  if (checking_read(client, from) < amount) return false;
  client_execute(client, "UPDATE checking SET bal = bal - ? WHERE custid = ?", "mi", amount, from);
  client_execute(client, "UPDATE checking SET bal = bal + ? WHERE custid = ?", "mi", amount, to);
  return true;
}

static bool transact_savings(Client *client, const Scale *scale) {
  int64_t id = customer_find(client, customer_pick(client, scale));
  int64_t amount = random_between(&client->random, -5000, 5000);
  if (savings_read(client, id) + amount < 0) return false;
  client_execute(client, "UPDATE savings SET bal = bal + ? WHERE custid = ?", "mi", amount, id);
  return true;
}

/* A check that is not covered costs one more. */
static bool write_check(Client *client, const Scale *scale) {
  int64_t id = customer_find(client, customer_pick(client, scale));
  int64_t amount = random_between(&client->random, 1, 20000);
  int64_t fee = total_read(client, id) < amount ? 100 : 0;
  client_execute(client, "UPDATE checking SET bal = bal - ? WHERE custid = ?", "mi", amount + fee, id);
  return true;
}

static void populate_balances(Population *population, const Scale *scale, const char *table) {
  population_table(population, table, "custid, bal");
  for (int64_t id = 1; id <= scale->value[CUSTOMERS]; id++)
    population_row(population, "im", id, random_between(&population->random, 10000, 50000));
}

static void populate(Population *population, const Scale *scale) {
  char name[32];
  population_define(population,
                    "CREATE TABLE accounts (custid BIGINT PRIMARY KEY, name VARCHAR(64) NOT NULL)");
  population_define(population, "CREATE UNIQUE INDEX accounts_name ON accounts (name)");
  population_define(population,
                    "CREATE TABLE savings (custid BIGINT PRIMARY KEY, bal DECIMAL(12,2) NOT NULL)");
  population_define(population,
                    "CREATE TABLE checking (custid BIGINT PRIMARY KEY, bal DECIMAL(12,2) NOT NULL)");
  population_table(population, "accounts", "custid, name");
  for (int64_t id = 1; id <= scale->value[CUSTOMERS]; id++) {
    snprintf(name, sizeof name, "customer%lld", (long long)id);
    population_row(population, "is", id, name);
  }
  populate_balances(population, scale, "savings");
  populate_balances(population, scale, "checking");
}

const Workload WORKLOAD_SMALLBANK = {
    .name = "smallbank",
    .summary = "SmallBank: savings and checking accounts",
    .parameters = {{"customers", 1000, 2, 10000000, "customers"},
                   {"hot", 100, 2, 10000000, "customers that a quarter of the draws go to"}},
    .kinds = {{"amalgamate", 15, amalgamate},
              {"balance", 15, balance},
              {"deposit-checking", 15, deposit_checking},
              {"send-payment", 25, send_payment},
              {"transact-savings", 15, transact_savings},
              {"write-check", 15, write_check}},
    .populate = populate,
};
