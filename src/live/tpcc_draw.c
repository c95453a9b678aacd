/* tpcc_draw.c: the inputs of TPC-C's transactions (the clauses named "input generation"). */
#include "src/live/tpcc.h"

#include <stdlib.h>

/* 2.1.6.1: constants of the run. */
enum { CONSTANT_CUSTOMER = 259, CONSTANT_LAST = 123, CONSTANT_ITEM = 7911 };

static int64_t draw(Client *client, int64_t low, int64_t high) {
  return random_between(&client->random, low, high);
}

static int64_t warehouse_draw(Client *client, const Scale *scale) {
  return draw(client, 1, scale->value[TPCC_WAREHOUSES]);
}

static int64_t district_draw(Client *client, const Scale *scale) {
  return draw(client, 1, scale->value[TPCC_DISTRICTS]);
}

static int64_t customer_draw(Client *client, const Scale *scale) {
  return random_skewed(&client->random, 1023, CONSTANT_CUSTOMER, 1, scale->value[TPCC_CUSTOMERS]);
}

/* 2.5.1.2 and 2.6.1.2: by last name in 60 of 100 cases. */
static void customer_choose(Client *client, const Scale *scale, TpccCustomer *choice) {
  choice->is_by_name = random_percent(&client->random, 60);
  choice->id = customer_draw(client, scale);
  tpcc_last_name(random_skewed(&client->random, 255, CONSTANT_LAST, 0, tpcc_last_number(scale)),
                 choice->last);
}

/* 2.4.1.5: one line in a hundred is supplied by another warehouse, if there is one. */
static void line_draw(Client *client, const Scale *scale, int64_t warehouse, TpccLine *line) {
  line->item = random_skewed(&client->random, 8191, CONSTANT_ITEM, 1, scale->value[TPCC_ITEMS]);
  line->quantity = draw(client, 1, 10);
  line->supplier = random_percent(&client->random, 1) ? warehouse_draw(client, scale) : warehouse;
}

static int line_compare(const void *left, const void *right) {
  const TpccLine *one = left, *other = right;
  if (one->item != other->item) return one->item < other->item ? -1 : 1;
  if (one->supplier != other->supplier) return one->supplier < other->supplier ? -1 : 1;
  return (one->quantity > other->quantity) - (one->quantity < other->quantity);
}

/* 2.4.1.4: one order in a hundred names an item that does not exist, as its last.  Lines go by item: orders that
 * lock the same stock lock it in the same order, and wait for each other without a deadlock. */
void tpcc_draw_new_order(Client *client, const Scale *scale, TpccNewOrder *order) {
  *order = (TpccNewOrder){.is_local = true};
  order->warehouse = warehouse_draw(client, scale);
  order->district = district_draw(client, scale);
  order->customer = customer_draw(client, scale);
  order->line_count = draw(client, 5, TPCC_MOST_LINES);
  bool is_mistaken = random_percent(&client->random, 1);
  for (int64_t i = 0; i < order->line_count; i++) {
    line_draw(client, scale, order->warehouse, &order->lines[i]);
    if (order->lines[i].supplier != order->warehouse) order->is_local = false;
  }
  if (is_mistaken) order->lines[order->line_count - 1].item = scale->value[TPCC_ITEMS] + 1;
  qsort(order->lines, (size_t)order->line_count, sizeof *order->lines, line_compare);
}

/* 2.5.1.2: 15 of 100 customers pay away from home. */
void tpcc_draw_payment(Client *client, const Scale *scale, TpccPayment *payment) {
  *payment = (TpccPayment){0};
  payment->warehouse = warehouse_draw(client, scale);
  payment->district = district_draw(client, scale);
  bool is_remote = random_percent(&client->random, 15);
  payment->home = is_remote ? warehouse_draw(client, scale) : payment->warehouse;
  payment->home_district = is_remote ? district_draw(client, scale) : payment->district;
  payment->amount = draw(client, 100, 500000);
  customer_choose(client, scale, &payment->customer);
}

void tpcc_draw_order_status(Client *client, const Scale *scale, TpccOrderStatus *status) {
  status->warehouse = warehouse_draw(client, scale);
  status->district = district_draw(client, scale);
  customer_choose(client, scale, &status->customer);
}

void tpcc_draw_delivery(Client *client, const Scale *scale, TpccDelivery *delivery) {
  delivery->warehouse = warehouse_draw(client, scale);
  delivery->carrier = draw(client, 1, 10);
}

void tpcc_draw_stock_level(Client *client, const Scale *scale, TpccStockLevel *level) {
  level->warehouse = warehouse_draw(client, scale);
  level->district = district_draw(client, scale);
  level->threshold = draw(client, 10, 20);
}
