/* tpcc.c: TPC-C's five transactions as client statements (clauses 2.4 to 2.8), the specification's mix. */
#include "src/live/tpcc.h"

#include <string.h>

/* Rows that are read to be written are locked, where the database knows how. */
static const char *locking(Client *client, const char *sql) {
  if (client->dialect == DIALECT_SQLITE) return sql;
  return arena_format(&client->arena, "%s FOR UPDATE", sql);
}

/* The customer's number; by name it is the middle one, rounded up, in the order of first names. */
static int64_t customer_find(Client *client, const TpccCustomer *choice, int64_t warehouse,
                             int64_t district) {
  if (!choice->is_by_name) return choice->id;
  const Reply *named = client_execute(
      client, "SELECT c_id FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY c_first",
      "iis", warehouse, district, choice->last);
  uint32_t count = reply_row_count(named);
  return count ? reply_int(named, (count + 1) / 2 - 1, 0) : choice->id;
}

/* ---- new order ---- */

static void new_order_open(Client *client, TpccNewOrder *order) {
  client_execute(
      client,
      "SELECT c_discount, c_last, c_credit, w_tax FROM customer, warehouse WHERE w_id = ? AND c_w_id = w_id "
      "AND c_d_id = ? AND c_id = ?",
      "iii", order->warehouse, order->district, order->customer);
  const Reply *district = client_execute(
      client, locking(client, "SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = ? AND d_id = ?"), "ii",
      order->warehouse, order->district);
  order->order = reply_int(district, 0, 0);
  client_execute(client, "UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = ? AND d_id = ?",
                 "ii", order->warehouse, order->district);
  client_execute(
      client,
      "INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local) "
      "VALUES (?, ?, ?, ?, ?, NULL, ?, ?)",
      "iiiisii", order->order, order->district, order->warehouse, order->customer, workload_time(client),
      order->line_count, (int64_t)order->is_local);
  client_execute(client, "INSERT INTO new_order (no_o_id, no_d_id, no_w_id) VALUES (?, ?, ?)", "iii",
                 order->order, order->district, order->warehouse);
}

/* 2.4.2.2: stock that would fall under ten is filled up by 91. False: no such item. */
static bool new_order_line(Client *client, const TpccNewOrder *order, int64_t number) {
  const TpccLine *line = &order->lines[number - 1];
  const Reply *item =
      client_execute(client, "SELECT i_price, i_name, i_data FROM item WHERE i_id = ?", "i", line->item);
  if (reply_row_count(item) == 0) return false;
  int64_t price = reply_cents(item, 0, 0);
  const char *query = arena_format(
      &client->arena, "SELECT s_quantity, s_data, s_dist_%02d FROM stock WHERE s_w_id = ? AND s_i_id = ?",
      (int)((order->district - 1) % 10 + 1));
  const Reply *stock = client_execute(client, locking(client, query), "ii", line->supplier, line->item);
  int64_t left = reply_int(stock, 0, 0) - line->quantity;
  client_execute(
      client,
      "UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1, s_remote_cnt = "
      "s_remote_cnt + ? WHERE s_w_id = ? AND s_i_id = ?",
      "iiiii", left >= 10 ? left : left + 91, line->quantity, (int64_t)(line->supplier != order->warehouse),
      line->supplier, line->item);
  client_execute(client,
                 "INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, "
                 "ol_quantity, ol_amount, ol_dist_info) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 "iiiiiiims", order->order, order->district, order->warehouse, number, line->item,
                 line->supplier, line->quantity, line->quantity * price,
                 reply_text(&client->arena, stock, 0, 2));
  return true;
}

static bool new_order(Client *client, const Scale *scale) {
  TpccNewOrder order;
  tpcc_draw_new_order(client, scale, &order);
  new_order_open(client, &order);
  for (int64_t number = 1; number <= order.line_count; number++)
    if (!new_order_line(client, &order, number)) return false;
  return true;
}

/* ---- payment ---- */

/* 2.5.2.2: a customer with bad credit has the payment noted in c_data, of which 500 letters are kept. */
static void payment_note(Client *client, const TpccPayment *pay, int64_t customer) {
  const Reply *old =
      client_execute(client, "SELECT c_data FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
                     "iii", pay->home, pay->home_district, customer);
  const char *data =
      arena_format(&client->arena, "%d %d %d %d %d %d.%02d|%s", (int)customer, (int)pay->home_district,
                   (int)pay->home, (int)pay->district, (int)pay->warehouse, (int)(pay->amount / 100),
                   (int)(pay->amount % 100), reply_text(&client->arena, old, 0, 0));
  data = arena_text(&client->arena, data, strnlen(data, 500));
  client_execute(
      client,
      "UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?, c_payment_cnt = "
      "c_payment_cnt + 1, c_data = ? WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
      "mmsiii", pay->amount, pay->amount, data, pay->home, pay->home_district, customer);
}

/* 2.5.3.4: the history's text is made of both names. */
static void payment_receive(Client *client, TpccPayment *pay) {
  client_execute(client, "UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?", "mi", pay->amount,
                 pay->warehouse);
  const Reply *warehouse = client_execute(
      client, "SELECT w_street_1, w_street_2, w_city, w_state, w_zip, w_name FROM warehouse WHERE w_id = ?",
      "i", pay->warehouse);
  client_execute(client, "UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?", "mii",
                 pay->amount, pay->warehouse, pay->district);
  const Reply *district = client_execute(
      client,
      "SELECT d_street_1, d_street_2, d_city, d_state, d_zip, d_name FROM district WHERE d_w_id = "
      "? AND d_id = ?",
      "ii", pay->warehouse, pay->district);
  pay->data = arena_format(&client->arena, "%s    %s", reply_text(&client->arena, warehouse, 0, 5),
                           reply_text(&client->arena, district, 0, 5));
}

static bool payment(Client *client, const Scale *scale) {
  TpccPayment pay;
  tpcc_draw_payment(client, scale, &pay);
  payment_receive(client, &pay);
  int64_t customer = customer_find(client, &pay.customer, pay.home, pay.home_district);
  const Reply *found = client_execute(
      client,
      locking(client,
              "SELECT c_first, c_middle, c_last, c_phone, c_since, c_credit, c_credit_lim, c_discount, "
              "c_balance FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?"),
      "iii", pay.home, pay.home_district, customer);
  if (!strcmp(reply_text(&client->arena, found, 0, 5), "BC"))
    payment_note(client, &pay, customer);
  else
    client_execute(
        client,
        "UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?, c_payment_cnt = "
        "c_payment_cnt + 1 WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
        "mmiii", pay.amount, pay.amount, pay.home, pay.home_district, customer);
  client_execute(
      client,
      "INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data) VALUES "
      "(?, ?, ?, ?, ?, ?, ?, ?)",
      "iiiiisms", customer, pay.home_district, pay.home, pay.district, pay.warehouse, workload_time(client),
      pay.amount, pay.data);
  return true;
}

/* ---- order status, delivery, stock level ---- */

static bool order_status(Client *client, const Scale *scale) {
  TpccOrderStatus status;
  tpcc_draw_order_status(client, scale, &status);
  int64_t warehouse = status.warehouse, district = status.district;
  int64_t customer = customer_find(client, &status.customer, warehouse, district);
  client_execute(client,
                 "SELECT c_first, c_middle, c_last, c_balance FROM customer WHERE c_w_id = ? AND c_d_id = ? "
                 "AND c_id = ?",
                 "iii", warehouse, district, customer);
  const Reply *order = client_execute(
      client,
      "SELECT o_id, o_carrier_id, o_entry_d FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ? "
      "ORDER BY o_id DESC LIMIT 1",
      "iii", warehouse, district, customer);
  if (reply_row_count(order) == 0) return true;
  client_execute(
      client,
      "SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line WHERE ol_w_id "
      "= ? AND ol_d_id = ? AND ol_o_id = ?",
      "iii", warehouse, district, reply_int(order, 0, 0));
  return true;
}

/* 2.7.4.2: the oldest order of a district that was not delivered, if there is one. */
static void delivery_district(Client *client, int64_t warehouse, int64_t district, int64_t carrier) {
  const Reply *oldest = client_execute(
      client, "SELECT no_o_id FROM new_order WHERE no_w_id = ? AND no_d_id = ? ORDER BY no_o_id LIMIT 1",
      "ii", warehouse, district);
  if (reply_row_count(oldest) == 0) return;
  int64_t order = reply_int(oldest, 0, 0);
  client_execute(client, "DELETE FROM new_order WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?", "iii",
                 warehouse, district, order);
  const Reply *found =
      client_execute(client, "SELECT o_c_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?", "iii",
                     warehouse, district, order);
  client_execute(client, "UPDATE orders SET o_carrier_id = ? WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?",
                 "iiii", carrier, warehouse, district, order);
  client_execute(client,
                 "UPDATE order_line SET ol_delivery_d = ? WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?",
                 "siii", workload_time(client), warehouse, district, order);
  const Reply *sum = client_execute(
      client,
      "SELECT SUM(ol_amount) AS total FROM order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?",
      "iii", warehouse, district, order);
  client_execute(
      client,
      "UPDATE customer SET c_balance = c_balance + ?, c_delivery_cnt = c_delivery_cnt + 1 WHERE c_w_id = ? "
      "AND c_d_id = ? AND c_id = ?",
      "miii", reply_cents(sum, 0, 0), warehouse, district, reply_int(found, 0, 0));
}

static bool delivery(Client *client, const Scale *scale) {
  TpccDelivery drawn;
  tpcc_draw_delivery(client, scale, &drawn);
  for (int64_t district = 1; district <= scale->value[TPCC_DISTRICTS]; district++)
    delivery_district(client, drawn.warehouse, district, drawn.carrier);
  return true;
}

static bool stock_level(Client *client, const Scale *scale) {
  TpccStockLevel level;
  tpcc_draw_stock_level(client, scale, &level);
  int64_t warehouse = level.warehouse, district = level.district;
  const Reply *found = client_execute(
      client, "SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?", "ii", warehouse, district);
  int64_t next = reply_int(found, 0, 0);
  client_execute(
      client,
      "SELECT COUNT(DISTINCT s_i_id) AS low_stock FROM order_line, stock WHERE ol_w_id = ? AND ol_d_id = ? "
      "AND ol_o_id < ? AND ol_o_id >= ? AND s_w_id = ? AND s_i_id = ol_i_id AND s_quantity < ?",
      "iiiiii", warehouse, district, next, next - 20, warehouse, level.threshold);
  return true;
}

const Workload WORKLOAD_TPCC = {
    .name = "tpcc",
    .summary = "TPC-C: orders, payments and deliveries of a wholesale supplier",
    .parameters = TPCC_PARAMETERS,
    .kinds = {{"new-order", 45, new_order},
              {"payment", 43, payment},
              {"order-status", 4, order_status},
              {"delivery", 4, delivery},
              {"stock-level", 4, stock_level}},
    .populate = tpcc_populate,
};
