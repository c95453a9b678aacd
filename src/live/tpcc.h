/* tpcc.h: what the parts of the TPC-C workload share: scale, names, the population.
 *
 * [TPC Benchmark C, revision 5.11]; clause numbers in the code refer to it. */
#ifndef ALIBI_LIVE_TPCC_H
#define ALIBI_LIVE_TPCC_H

#include "src/live/workload.h"

enum { TPCC_WAREHOUSES, TPCC_DISTRICTS, TPCC_CUSTOMERS, TPCC_ITEMS, TPCC_ORDERS };

#define TPCC_PARAMETERS                                                                                      \
  {                                                                                                          \
    {"warehouses", 1, 1, 1000, "warehouses"}, {"districts", 10, 1, 10, "districts of a warehouse"},          \
        {"customers", 300, 1, 3000, "customers of a district (the specification: 3000)"},                    \
        {"items", 1000, 1, 100000, "items (the specification: 100000)"}, {                                   \
      "orders", 300, 0, 3000, "orders of a district at first (the specification: 3000)"                      \
    }                                                                                                        \
  }

enum { TPCC_NAME_ROOM = 17, TPCC_MOST_LINES = 15 };
/* 4.3.2.3: three syllables for a number from 0 to 999. */
void tpcc_last_name(int64_t number, char name[TPCC_NAME_ROOM]);
/* The last names in use go from 0 to this. */
int64_t tpcc_last_number(const Scale *scale);

/* ---- what a transaction draws, before its first statement: the same on every database ---- */

/* By number, or by last name. */
typedef struct TpccCustomer {
  bool is_by_name;
  int64_t id;
  char last[TPCC_NAME_ROOM];
} TpccCustomer;

typedef struct TpccLine {
  int64_t item, supplier, quantity;
} TpccLine;

typedef struct TpccNewOrder {
  int64_t warehouse, district, customer, line_count;
  bool is_local;
  TpccLine lines[TPCC_MOST_LINES];
  int64_t order; /* not drawn: the number that the district gave */
} TpccNewOrder;

typedef struct TpccPayment {
  int64_t warehouse, district, home, home_district, amount;
  TpccCustomer customer;
  const char *data; /* not drawn: made of the names found */
} TpccPayment;

typedef struct TpccOrderStatus {
  int64_t warehouse, district;
  TpccCustomer customer;
} TpccOrderStatus;

typedef struct TpccDelivery {
  int64_t warehouse, carrier;
} TpccDelivery;

typedef struct TpccStockLevel {
  int64_t warehouse, district, threshold;
} TpccStockLevel;

void tpcc_draw_new_order(Client *client, const Scale *scale, TpccNewOrder *order);
void tpcc_draw_payment(Client *client, const Scale *scale, TpccPayment *payment);
void tpcc_draw_order_status(Client *client, const Scale *scale, TpccOrderStatus *status);
void tpcc_draw_delivery(Client *client, const Scale *scale, TpccDelivery *delivery);
void tpcc_draw_stock_level(Client *client, const Scale *scale, TpccStockLevel *level);

void tpcc_populate(Population *population, const Scale *scale);

#endif
