/* tpcc_populate.c: TPC-C's nine tables and their first rows (clauses 1.3 and 4.3.3), at any scale. */
#include "src/live/tpcc.h"

#include "src/live/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const SCHEMA[] = {
    "CREATE TABLE warehouse (w_id INT PRIMARY KEY, w_name VARCHAR(10), w_street_1 VARCHAR(20), w_street_2 "
    "VARCHAR(20), "
    "w_city VARCHAR(20), w_state CHAR(2), w_zip CHAR(9), w_tax DECIMAL(4,4), w_ytd DECIMAL(12,2))",
    "CREATE TABLE district (d_id INT NOT NULL, d_w_id INT NOT NULL, d_name VARCHAR(10), d_street_1 "
    "VARCHAR(20), "
    "d_street_2 VARCHAR(20), d_city VARCHAR(20), d_state CHAR(2), d_zip CHAR(9), d_tax DECIMAL(4,4), d_ytd "
    "DECIMAL(12,2), d_next_o_id INT, PRIMARY KEY (d_w_id, d_id))",
    "CREATE TABLE customer (c_id INT NOT NULL, c_d_id INT NOT NULL, c_w_id INT NOT NULL, c_first "
    "VARCHAR(16), c_middle "
    "CHAR(2), c_last VARCHAR(16), c_street_1 VARCHAR(20), c_street_2 VARCHAR(20), c_city VARCHAR(20), "
    "c_state CHAR(2), "
    "c_zip CHAR(9), c_phone CHAR(16), c_since TIMESTAMP, c_credit CHAR(2), c_credit_lim DECIMAL(12,2), "
    "c_discount "
    "DECIMAL(4,4), c_balance DECIMAL(12,2), c_ytd_payment DECIMAL(12,2), c_payment_cnt INT, c_delivery_cnt "
    "INT, c_data "
    "VARCHAR(500), PRIMARY KEY (c_w_id, c_d_id, c_id))",
    "CREATE INDEX customer_name ON customer (c_w_id, c_d_id, c_last, c_first)",
    "CREATE TABLE history (h_c_id INT, h_c_d_id INT, h_c_w_id INT, h_d_id INT, h_w_id INT, h_date TIMESTAMP, "
    "h_amount "
    "DECIMAL(6,2), h_data VARCHAR(24))",
    "CREATE TABLE orders (o_id INT NOT NULL, o_d_id INT NOT NULL, o_w_id INT NOT NULL, o_c_id INT, o_entry_d "
    "TIMESTAMP, "
    "o_carrier_id INT, o_ol_cnt INT, o_all_local INT, PRIMARY KEY (o_w_id, o_d_id, o_id))",
    "CREATE INDEX orders_customer ON orders (o_w_id, o_d_id, o_c_id, o_id)",
    "CREATE TABLE new_order (no_o_id INT NOT NULL, no_d_id INT NOT NULL, no_w_id INT NOT NULL, PRIMARY KEY "
    "(no_w_id, "
    "no_d_id, no_o_id))",
    "CREATE TABLE item (i_id INT PRIMARY KEY, i_im_id INT, i_name VARCHAR(24), i_price DECIMAL(5,2), i_data "
    "VARCHAR(50))",
    "CREATE TABLE stock (s_i_id INT NOT NULL, s_w_id INT NOT NULL, s_quantity INT, s_dist_01 CHAR(24), "
    "s_dist_02 "
    "CHAR(24), s_dist_03 CHAR(24), s_dist_04 CHAR(24), s_dist_05 CHAR(24), s_dist_06 CHAR(24), s_dist_07 "
    "CHAR(24), "
    "s_dist_08 CHAR(24), s_dist_09 CHAR(24), s_dist_10 CHAR(24), s_ytd INT, s_order_cnt INT, s_remote_cnt "
    "INT, s_data "
    "VARCHAR(50), PRIMARY KEY (s_w_id, s_i_id))",
    "CREATE TABLE order_line (ol_o_id INT NOT NULL, ol_d_id INT NOT NULL, ol_w_id INT NOT NULL, ol_number "
    "INT NOT NULL, "
    "ol_i_id INT, ol_supply_w_id INT, ol_delivery_d TIMESTAMP, ol_quantity INT, ol_amount DECIMAL(6,2), "
    "ol_dist_info "
    "CHAR(24), PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number))",
};

static const char *const SYLLABLES[] = {"BAR", "OUGHT", "ABLE",  "PRI",   "PRES",
                                        "ESE", "ANTI",  "CALLY", "ATION", "EING"};
static const char BEGINNING[] = "2023-12-31 00:00:00";

void tpcc_last_name(int64_t number, char name[TPCC_NAME_ROOM]) {
  snprintf(name, TPCC_NAME_ROOM, "%s%s%s", SYLLABLES[number / 100 % 10], SYLLABLES[number / 10 % 10],
           SYLLABLES[number % 10]);
}

int64_t tpcc_last_number(const Scale *scale) {
  return scale->value[TPCC_CUSTOMERS] < 1000 ? scale->value[TPCC_CUSTOMERS] - 1 : 999;
}

/* Letters, between the two lengths; the buffer has room for the longer one. */
static const char *letters(Population *population, char *buffer, int64_t least, int64_t most) {
  random_letters(&population->random, buffer, (size_t)random_between(&population->random, least, most));
  return buffer;
}

typedef struct PostalAddress { /* the four parts of an address, and the zip code */
  char street_1[21], street_2[21], city[21], state[3], zip[10];
} PostalAddress;

static void postal_address(Population *population, PostalAddress *address) {
  letters(population, address->street_1, 10, 20);
  letters(population, address->street_2, 10, 20);
  letters(population, address->city, 10, 20);
  letters(population, address->state, 2, 2);
  random_digits(&population->random, address->zip, 4);
  strcpy(address->zip + 4, "11111");
}

/* A tenth has ORIGINAL somewhere inside. */
static const char *original_data(Population *population, char buffer[51]) {
  static const char word[] = "ORIGINAL";
  letters(population, buffer, 26, 50);
  if (random_percent(&population->random, 10)) {
    int64_t at = random_between(&population->random, 0, (int64_t)(strlen(buffer) - strlen(word)));
    memcpy(buffer + at, word, strlen(word));
  }
  return buffer;
}

/* Rates have four digits behind the point: hundredths of a percent, written as text. */
static const char *rate(Population *population, char buffer[8], int64_t most) {
  snprintf(buffer, 8, "0.%04d", (int)random_between(&population->random, 0, most));
  return buffer;
}

static void populate_items(Population *population, const Scale *scale) {
  char name[25], data[51];
  population_table(population, "item", "i_id, i_im_id, i_name, i_price, i_data");
  for (int64_t id = 1; id <= scale->value[TPCC_ITEMS]; id++) {
    int64_t image = random_between(&population->random, 1, 10000);
    letters(population, name, 14, 24);
    population_row(population, "iisms", id, image, name, random_between(&population->random, 100, 10000),
                   original_data(population, data));
  }
}

static void populate_stock(Population *population, const Scale *scale, int64_t warehouse) {
  char dist[10][25], data[51];
  population_table(
      population, "stock",
      "s_i_id, s_w_id, s_quantity, s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05, s_dist_06, "
      "s_dist_07, s_dist_08, s_dist_09, s_dist_10, s_ytd, s_order_cnt, s_remote_cnt, s_data");
  for (int64_t id = 1; id <= scale->value[TPCC_ITEMS]; id++) {
    int64_t quantity = random_between(&population->random, 10, 100);
    for (int i = 0; i < 10; i++) letters(population, dist[i], 24, 24);
    population_row(population, "iiissssssssssiiis", id, warehouse, quantity, dist[0], dist[1], dist[2],
                   dist[3], dist[4], dist[5], dist[6], dist[7], dist[8], dist[9], (int64_t)0, (int64_t)0,
                   (int64_t)0, original_data(population, data));
  }
}

static void populate_warehouse(Population *population, int64_t warehouse) {
  PostalAddress address;
  char name[11], tax[8];
  population_table(population, "warehouse",
                   "w_id, w_name, w_street_1, w_street_2, w_city, w_state, w_zip, w_tax, w_ytd");
  letters(population, name, 6, 10);
  postal_address(population, &address);
  population_row(population, "isssssssm", warehouse, name, address.street_1, address.street_2, address.city,
                 address.state, address.zip, rate(population, tax, 2000), (int64_t)30000000);
}

static void populate_districts(Population *population, const Scale *scale, int64_t warehouse) {
  PostalAddress address;
  char name[11], tax[8];
  population_table(
      population, "district",
      "d_id, d_w_id, d_name, d_street_1, d_street_2, d_city, d_state, d_zip, d_tax, d_ytd, d_next_o_id");
  for (int64_t district = 1; district <= scale->value[TPCC_DISTRICTS]; district++) {
    letters(population, name, 6, 10);
    postal_address(population, &address);
    population_row(population, "iisssssssmi", district, warehouse, name, address.street_1, address.street_2,
                   address.city, address.state, address.zip, rate(population, tax, 2000), (int64_t)3000000,
                   scale->value[TPCC_ORDERS] + 1);
  }
}

/* The first thousand customers of a district have each last name once; a tenth has bad credit. */
static void populate_customers(Population *population, const Scale *scale, int64_t warehouse,
                               int64_t district) {
  Random *random = &population->random;
  PostalAddress address;
  char first[17], last[TPCC_NAME_ROOM], phone[17], discount[8], data[301];
  population_table(
      population, "customer",
      "c_id, c_d_id, c_w_id, c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, "
      "c_phone, c_since, c_credit, c_credit_lim, c_discount, c_balance, c_ytd_payment, c_payment_cnt, "
      "c_delivery_cnt, c_data");
  for (int64_t id = 1; id <= scale->value[TPCC_CUSTOMERS]; id++) {
    tpcc_last_name(id <= 1000 ? id - 1 : random_skewed(random, 255, 123, 0, 999), last);
    letters(population, first, 8, 16);
    postal_address(population, &address);
    random_digits(random, phone, 16);
    const char *credit = random_percent(random, 10) ? "BC" : "GC";
    rate(population, discount, 5000);
    letters(population, data, 300, 300);
    population_row(population, "iiisssssssssssmsmmiis", id, district, warehouse, first, "OE", last,
                   address.street_1, address.street_2, address.city, address.state, address.zip, phone,
                   BEGINNING, credit, (int64_t)5000000, discount, (int64_t)-1000, (int64_t)1000, (int64_t)1,
                   (int64_t)0, data);
  }
}

static void populate_history(Population *population, const Scale *scale, int64_t warehouse,
                             int64_t district) {
  char data[25];
  population_table(population, "history",
                   "h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data");
  for (int64_t id = 1; id <= scale->value[TPCC_CUSTOMERS]; id++)
    population_row(population, "iiiiisms", id, district, warehouse, district, warehouse, BEGINNING,
                   (int64_t)1000, letters(population, data, 12, 24));
}

/* The last three tenths of the orders are not delivered yet. */
static int64_t first_new_order(const Scale *scale) {
  return scale->value[TPCC_ORDERS] - scale->value[TPCC_ORDERS] * 3 / 10 + 1;
}

static void populate_order_lines(Population *population, const Scale *scale, int64_t warehouse,
                                 int64_t district, const int64_t *line_counts) {
  Random *random = &population->random;
  char info[25];
  population_table(
      population, "order_line",
      "ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_delivery_d, ol_quantity, "
      "ol_amount, ol_dist_info");
  for (int64_t order = 1; order <= scale->value[TPCC_ORDERS]; order++) {
    bool is_new = order >= first_new_order(scale);
    for (int64_t line = 1; line <= line_counts[order - 1]; line++) {
      int64_t item = random_between(random, 1, scale->value[TPCC_ITEMS]);
      int64_t amount = is_new ? random_between(random, 1, 999999) : 0;
      population_row(population, "iiiiiisims", order, district, warehouse, line, item, warehouse,
                     is_new ? NULL : BEGINNING, (int64_t)5, amount, letters(population, info, 24, 24));
    }
  }
}

static void populate_orders(Population *population, const Scale *scale, int64_t warehouse, int64_t district) {
  Random *random = &population->random;
  int64_t orders = scale->value[TPCC_ORDERS], customers = scale->value[TPCC_CUSTOMERS];
  int64_t *line_counts = memory_new((size_t)(orders + 1) * sizeof *line_counts);
  population_table(population, "orders",
                   "o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local");
  for (int64_t order = 1; order <= orders; order++) {
    line_counts[order - 1] = random_between(random, 5, 15);
    int64_t carrier = random_between(random, 1, 10);
    population_row(population, "iiiisiii", order, district, warehouse, (order * 7919) % customers + 1,
                   BEGINNING, order >= first_new_order(scale) ? REQUEST_NULL : carrier,
                   line_counts[order - 1], (int64_t)1);
  }
  population_table(population, "new_order", "no_o_id, no_d_id, no_w_id");
  for (int64_t order = first_new_order(scale); order <= orders; order++)
    population_row(population, "iii", order, district, warehouse);
  populate_order_lines(population, scale, warehouse, district, line_counts);
  free(line_counts);
}

void tpcc_populate(Population *population, const Scale *scale) {
  for (size_t i = 0; i < sizeof SCHEMA / sizeof *SCHEMA; i++) population_define(population, SCHEMA[i]);
  populate_items(population, scale);
  for (int64_t warehouse = 1; warehouse <= scale->value[TPCC_WAREHOUSES]; warehouse++) {
    populate_warehouse(population, warehouse);
    populate_stock(population, scale, warehouse);
    populate_districts(population, scale, warehouse);
    for (int64_t district = 1; district <= scale->value[TPCC_DISTRICTS]; district++) {
      populate_customers(population, scale, warehouse, district);
      populate_history(population, scale, warehouse, district);
      populate_orders(population, scale, warehouse, district);
    }
  }
}
