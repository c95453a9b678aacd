/* bank.c: accounts and money between them.
 *
 * A writing transaction first reads what it is going to change, unless it is blind: the
 * share of blind ones is a parameter, as are the share of read-only transactions and the part
 * of the table that is used at all. */
#include "src/live/workload.h"

enum { ACCOUNTS, READS, BLIND, ACCESSED };

static int64_t account_pick(Client *client, const Scale *scale) {
  int64_t used = scale->value[ACCOUNTS] * scale->value[ACCESSED] / 1000;
  return random_between(&client->random, 1, used > 2 ? used : 2);
}

static bool is_blind(Client *client, const Scale *scale) {
  return random_percent(&client->random, (unsigned)scale->value[BLIND]);
}

static bool balance(Client *client, const Scale *scale) {
  client_execute(client, "SELECT balance FROM accounts WHERE id = ?", "i", account_pick(client, scale));
  return true;
}

static void change(Client *client, const Scale *scale, const char *sql) {
  int64_t account = account_pick(client, scale), amount = random_between(&client->random, 1, 100);
  if (!is_blind(client, scale))
    client_execute(client, "SELECT balance FROM accounts WHERE id = ?", "i", account);
  client_execute(client, sql, "ii", amount, account);
}

static bool deposit(Client *client, const Scale *scale) {
  change(client, scale, "UPDATE accounts SET balance = balance + ? WHERE id = ?");
  return true;
}

static bool withdraw(Client *client, const Scale *scale) {
  change(client, scale, "UPDATE accounts SET balance = balance - ? WHERE id = ?");
  return true;
}

static bool transfer(Client *client, const Scale *scale) {
  int64_t source = account_pick(client, scale), target = account_pick(client, scale);
  int64_t amount = random_between(&client->random, 1, 100);
  while (target == source) target = account_pick(client, scale);
  if (!is_blind(client, scale))
    client_execute(client, "SELECT id, balance FROM accounts WHERE id IN (?, ?)", "ii", source, target);
  client_execute(client, "UPDATE accounts SET balance = balance - ? WHERE id = ?", "ii", amount, source);
  client_execute(client, "UPDATE accounts SET balance = balance + ? WHERE id = ?", "ii", amount, target);
  return true;
}

/* Whether there is enough, or a fee to pay, is for the database to find out. */
static bool overdraft(Client *client, const Scale *scale) {
  int64_t account = account_pick(client, scale), amount = random_between(&client->random, 1, 200);
  if (!is_blind(client, scale))
    client_execute(client, "SELECT balance FROM accounts WHERE id = ?", "i", account);
  client_execute(
      client,
      "UPDATE accounts SET balance = CASE WHEN balance >= ? THEN balance - ? ELSE balance - ? - 5 END "
      "WHERE id = ?",
      "iiii", amount, amount, amount, account);
  return true;
}

static void weigh(const Scale *scale, unsigned weights[WORKLOAD_KINDS]) {
  unsigned reads = (unsigned)scale->value[READS];
  weights[0] = 4 * reads;
  for (int kind = 1; kind <= 4; kind++) weights[kind] = 100 - reads;
}

static void populate(Population *population, const Scale *scale) {
  population_define(population, "CREATE TABLE accounts (id INT PRIMARY KEY, balance DECIMAL(12,2) NOT NULL)");
  population_table(population, "accounts", "id, balance");
  for (int64_t id = 1; id <= scale->value[ACCOUNTS]; id++)
    population_row(population, "ii", id, random_between(&population->random, 100, 1000));
}

const Workload WORKLOAD_BANK = {
    .name = "bank",
    .summary = "deposits, withdrawals and transfers between accounts",
    .parameters = {{"accounts", 1000, 2, 10000000, "rows in the table"},
                   {"reads", 20, 0, 100, "percent of transactions that only read"},
                   {"blind", 0, 0, 100, "percent of writing transactions that do not read first"},
                   {"accessed", 1000, 1, 1000, "thousandths of the rows that are used"}},
    .kinds = {{"balance", 20, balance},
              {"deposit", 20, deposit},
              {"withdraw", 20, withdraw},
              {"transfer", 20, transfer},
              {"overdraft", 20, overdraft}},
    .weigh = weigh,
    .populate = populate,
};
