/* tpcc_procedures.c: TPC-C's five transactions as stored procedures with cursors and loops (MariaDB, MySQL).
 *
 * They draw what tpcc.c draws.  The lines of an order travel as digits of fixed width: six of the
 * item, four of the supplying warehouse, two of the quantity. */
#include "src/live/tpcc.h"

#include <stdio.h>
#include <string.h>

/* ---- procedures ---- */

static const char PLACE_ORDER[] =
    "CREATE PROCEDURE place_order(IN in_w INT, IN in_d INT, IN in_c INT, IN in_count INT, IN in_local INT, "
    "IN in_moment DATETIME, IN in_lines VARCHAR(180))\n"
    "BEGIN\n"
    "  DECLARE number INT DEFAULT 1;\n"
    "  DECLARE is_known INT DEFAULT 1;\n"
    "  DECLARE the_order INT;\n"
    "  DECLARE the_item INT;\n"
    "  DECLARE supplier INT;\n"
    "  DECLARE amount INT;\n"
    "  DECLARE remaining INT;\n"
    "  DECLARE price DECIMAL(5,2);\n"
    "  DECLARE info CHAR(24);\n"
    "  DECLARE discount DECIMAL(4,4);\n"
    "  DECLARE warehouse_tax DECIMAL(4,4);\n"
    "  DECLARE district_tax DECIMAL(4,4);\n"
    "  DECLARE total DECIMAL(12,2) DEFAULT 0;\n"
    "  DECLARE CONTINUE HANDLER FOR NOT FOUND SET is_known = 0;\n"
    "  SELECT c_discount, w_tax INTO discount, warehouse_tax FROM customer, warehouse\n"
    "    WHERE w_id = in_w AND c_w_id = w_id AND c_d_id = in_d AND c_id = in_c;\n"
    "  SELECT d_next_o_id, d_tax INTO the_order, district_tax FROM district\n"
    "    WHERE d_w_id = in_w AND d_id = in_d FOR UPDATE;\n"
    "  UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = in_w AND d_id = in_d;\n"
    "  INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local)\n"
    "    VALUES (the_order, in_d, in_w, in_c, in_moment, NULL, in_count, in_local);\n"
    "  INSERT INTO new_order (no_o_id, no_d_id, no_w_id) VALUES (the_order, in_d, in_w);\n"
    "  WHILE number <= in_count AND is_known = 1 DO\n"
    "    SET the_item = CAST(SUBSTRING(in_lines, 12 * number - 11, 6) AS SIGNED);\n"
    "    SET supplier = CAST(SUBSTRING(in_lines, 12 * number - 5, 4) AS SIGNED);\n"
    "    SET amount = CAST(SUBSTRING(in_lines, 12 * number - 1, 2) AS SIGNED);\n"
    "    SELECT i_price INTO price FROM item WHERE i_id = the_item;\n"
    "    IF is_known = 1 THEN\n"
    "      SELECT s_quantity, CASE in_d WHEN 1 THEN s_dist_01 WHEN 2 THEN s_dist_02 WHEN 3 THEN s_dist_03\n"
    "          WHEN 4 THEN s_dist_04 WHEN 5 THEN s_dist_05 WHEN 6 THEN s_dist_06 WHEN 7 THEN s_dist_07\n"
    "          WHEN 8 THEN s_dist_08 WHEN 9 THEN s_dist_09 ELSE s_dist_10 END\n"
    "        INTO remaining, info FROM stock WHERE s_w_id = supplier AND s_i_id = the_item FOR UPDATE;\n"
    "      SET remaining = remaining - amount;\n"
    "      IF remaining < 10 THEN SET remaining = remaining + 91; END IF;\n"
    "      UPDATE stock SET s_quantity = remaining, s_ytd = s_ytd + amount, s_order_cnt = s_order_cnt + 1,\n"
    "          s_remote_cnt = s_remote_cnt + CASE WHEN supplier <> in_w THEN 1 ELSE 0 END\n"
    "        WHERE s_w_id = supplier AND s_i_id = the_item;\n"
    "      INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id,\n"
    "          ol_quantity, ol_amount, ol_dist_info)\n"
    "        VALUES (the_order, in_d, in_w, number, the_item, supplier, amount, amount * price, info);\n"
    "      SET total = total + amount * price;\n"
    "    END IF;\n"
    "    SET number = number + 1;\n"
    "  END WHILE;\n"
    "  SELECT is_known AS is_known, the_order AS order_id,\n"
    "    total * (1 - discount) * (1 + warehouse_tax + district_tax) AS total;\n"
    "END";

/* The middle one of the customers with a last name, in the order of first names; without any, the one given.
 */
static const char FIND_CUSTOMER[] =
    "CREATE PROCEDURE find_customer(IN in_w INT, IN in_d INT, IN in_last VARCHAR(16), INOUT customer INT)\n"
    "BEGIN\n"
    "  DECLARE steps INT;\n"
    "  DECLARE named CURSOR FOR SELECT c_id FROM customer\n"
    "    WHERE c_w_id = in_w AND c_d_id = in_d AND c_last = in_last ORDER BY c_first;\n"
    "  SELECT (COUNT(*) + 1) DIV 2 INTO steps FROM customer\n"
    "    WHERE c_w_id = in_w AND c_d_id = in_d AND c_last = in_last;\n"
    "  OPEN named;\n"
    "  WHILE steps > 0 DO\n"
    "    FETCH named INTO customer;\n"
    "    SET steps = steps - 1;\n"
    "  END WHILE;\n"
    "  CLOSE named;\n"
    "END";

static const char PAY[] =
    "CREATE PROCEDURE pay(IN in_w INT, IN in_d INT, IN home INT, IN home_district INT, IN in_c INT,\n"
    "  IN in_last VARCHAR(16), IN amount DECIMAL(6,2), IN in_moment DATETIME)\n"
    "BEGIN\n"
    "  DECLARE customer_id INT DEFAULT in_c;\n"
    "  DECLARE warehouse_name VARCHAR(10);\n"
    "  DECLARE district_name VARCHAR(10);\n"
    "  DECLARE credit CHAR(2);\n"
    "  UPDATE warehouse SET w_ytd = w_ytd + amount WHERE w_id = in_w;\n"
    "  SELECT w_name INTO warehouse_name FROM warehouse WHERE w_id = in_w;\n"
    "  UPDATE district SET d_ytd = d_ytd + amount WHERE d_w_id = in_w AND d_id = in_d;\n"
    "  SELECT d_name INTO district_name FROM district WHERE d_w_id = in_w AND d_id = in_d;\n"
    "  IF in_last IS NOT NULL THEN CALL find_customer(home, home_district, in_last, customer_id); END IF;\n"
    "  SELECT c_credit INTO credit FROM customer\n"
    "    WHERE c_w_id = home AND c_d_id = home_district AND c_id = customer_id FOR UPDATE;\n"
    "  UPDATE customer SET c_balance = c_balance - amount, c_ytd_payment = c_ytd_payment + amount,\n"
    "      c_payment_cnt = c_payment_cnt + 1\n"
    "    WHERE c_w_id = home AND c_d_id = home_district AND c_id = customer_id;\n"
    "  IF credit = 'BC' THEN\n"
    "    UPDATE customer SET c_data = LEFT(CONCAT(c_id, ' ', c_d_id, ' ', c_w_id, ' ', in_d, ' ', in_w, ' "
    "',\n"
    "        amount, '|', c_data), 500)\n"
    "      WHERE c_w_id = home AND c_d_id = home_district AND c_id = customer_id;\n"
    "  END IF;\n"
    "  INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)\n"
    "    VALUES (customer_id, home_district, home, in_d, in_w, in_moment, amount,\n"
    "      CONCAT(warehouse_name, '    ', district_name));\n"
    "  SELECT w_street_1, w_street_2, w_city, w_state, w_zip FROM warehouse WHERE w_id = in_w;\n"
    "  SELECT d_street_1, d_street_2, d_city, d_state, d_zip FROM district WHERE d_w_id = in_w AND d_id = "
    "in_d;\n"
    "  SELECT c_id, c_first, c_middle, c_last, c_since, c_credit, c_credit_lim, c_discount, c_balance FROM "
    "customer\n"
    "    WHERE c_w_id = home AND c_d_id = home_district AND c_id = customer_id;\n"
    "END";

static const char STATUS[] =
    "CREATE PROCEDURE status_of(IN in_w INT, IN in_d INT, IN in_c INT, IN in_last VARCHAR(16))\n"
    "BEGIN\n"
    "  DECLARE customer_id INT DEFAULT in_c;\n"
    "  DECLARE the_order INT DEFAULT 0;\n"
    "  DECLARE line_count INT DEFAULT 0;\n"
    "  DECLARE waiting INT DEFAULT 0;\n"
    "  DECLARE total DECIMAL(12,2) DEFAULT 0;\n"
    "  DECLARE amount DECIMAL(6,2);\n"
    "  DECLARE delivered DATETIME;\n"
    "  DECLARE is_over INT DEFAULT 0;\n"
    "  DECLARE order_lines CURSOR FOR SELECT ol_amount, ol_delivery_d FROM order_line\n"
    "    WHERE ol_w_id = in_w AND ol_d_id = in_d AND ol_o_id = the_order ORDER BY ol_number;\n"
    "  DECLARE CONTINUE HANDLER FOR NOT FOUND SET is_over = 1;\n"
    "  IF in_last IS NOT NULL THEN CALL find_customer(in_w, in_d, in_last, customer_id); END IF;\n"
    "  SELECT c_first, c_middle, c_last, c_balance FROM customer\n"
    "    WHERE c_w_id = in_w AND c_d_id = in_d AND c_id = customer_id;\n"
    "  SELECT COALESCE(MAX(o_id), 0) INTO the_order FROM orders\n"
    "    WHERE o_w_id = in_w AND o_d_id = in_d AND o_c_id = customer_id;\n"
    "  OPEN order_lines;\n"
    "  reading: LOOP\n"
    "    FETCH order_lines INTO amount, delivered;\n"
    "    IF is_over = 1 THEN LEAVE reading; END IF;\n"
    "    SET line_count = line_count + 1;\n"
    "    SET total = total + amount;\n"
    "    IF delivered IS NULL THEN SET waiting = waiting + 1; END IF;\n"
    "  END LOOP;\n"
    "  CLOSE order_lines;\n"
    "  SELECT the_order AS order_id, line_count AS line_count, total AS total, waiting AS waiting;\n"
    "END";

static const char DELIVER[] =
    "CREATE PROCEDURE deliver(IN in_w INT, IN districts INT, IN carrier INT, IN in_moment DATETIME)\n"
    "BEGIN\n"
    "  DECLARE district_id INT DEFAULT 1;\n"
    "  DECLARE delivered INT DEFAULT 0;\n"
    "  WHILE district_id <= districts DO\n"
    "    BEGIN\n"
    "      DECLARE the_order INT;\n"
    "      DECLARE customer_id INT;\n"
    "      DECLARE total DECIMAL(12,2);\n"
    "      DECLARE is_missing INT DEFAULT 0;\n"
    "      DECLARE oldest CURSOR FOR SELECT no_o_id FROM new_order\n"
    "        WHERE no_w_id = in_w AND no_d_id = district_id ORDER BY no_o_id LIMIT 1;\n"
    "      DECLARE CONTINUE HANDLER FOR NOT FOUND SET is_missing = 1;\n"
    "      OPEN oldest;\n"
    "      FETCH oldest INTO the_order;\n"
    "      CLOSE oldest;\n"
    "      IF is_missing = 0 THEN\n"
    "        DELETE FROM new_order WHERE no_w_id = in_w AND no_d_id = district_id AND no_o_id = the_order;\n"
    "        SELECT o_c_id INTO customer_id FROM orders\n"
    "          WHERE o_w_id = in_w AND o_d_id = district_id AND o_id = the_order;\n"
    "        UPDATE orders SET o_carrier_id = carrier\n"
    "          WHERE o_w_id = in_w AND o_d_id = district_id AND o_id = the_order;\n"
    "        UPDATE order_line SET ol_delivery_d = in_moment\n"
    "          WHERE ol_w_id = in_w AND ol_d_id = district_id AND ol_o_id = the_order;\n"
    "        SELECT SUM(ol_amount) INTO total FROM order_line\n"
    "          WHERE ol_w_id = in_w AND ol_d_id = district_id AND ol_o_id = the_order;\n"
    "        UPDATE customer SET c_balance = c_balance + total, c_delivery_cnt = c_delivery_cnt + 1\n"
    "          WHERE c_w_id = in_w AND c_d_id = district_id AND c_id = customer_id;\n"
    "        SET delivered = delivered + 1;\n"
    "      END IF;\n"
    "    END;\n"
    "    SET district_id = district_id + 1;\n"
    "  END WHILE;\n"
    "  SELECT delivered AS delivered;\n"
    "END";

static const char LEVEL[] =
    "CREATE PROCEDURE level_of_stock(IN in_w INT, IN in_d INT, IN threshold INT)\n"
    "BEGIN\n"
    "  DECLARE next_order INT;\n"
    "  SELECT d_next_o_id INTO next_order FROM district WHERE d_w_id = in_w AND d_id = in_d;\n"
    "  SELECT COUNT(DISTINCT s_i_id) AS low_stock FROM order_line, stock\n"
    "    WHERE ol_w_id = in_w AND ol_d_id = in_d AND ol_o_id < next_order AND ol_o_id >= next_order - 20\n"
    "      AND s_w_id = in_w AND s_i_id = ol_i_id AND s_quantity < threshold;\n"
    "END";

/* ---- transactions ---- */

static bool new_order(Client *client, const Scale *scale) {
  TpccNewOrder order;
  char lines[12 * TPCC_MOST_LINES + 1];
  tpcc_draw_new_order(client, scale, &order);
  for (int64_t i = 0; i < order.line_count; i++)
    snprintf(lines + 12 * i, 13, "%06u%04u%02u", (unsigned)order.lines[i].item % 1000000,
             (unsigned)order.lines[i].supplier % 10000, (unsigned)order.lines[i].quantity % 100);
  const Reply *placed =
      client_execute(client, "CALL place_order(?, ?, ?, ?, ?, ?, ?)", "iiiiiss", order.warehouse,
                     order.district, order.customer, order.line_count, (int64_t)order.is_local,
                     workload_time(client), arena_text(&client->arena, lines, strlen(lines)));
  return reply_int(placed, 0, 0) == 1;
}

static const char *customer_name(const TpccCustomer *customer) {
  return customer->is_by_name ? customer->last : NULL;
}

static bool payment(Client *client, const Scale *scale) {
  TpccPayment drawn;
  tpcc_draw_payment(client, scale, &drawn);
  client_execute(client, "CALL pay(?, ?, ?, ?, ?, ?, ?, ?)", "iiiiisms", drawn.warehouse, drawn.district,
                 drawn.home, drawn.home_district, drawn.customer.id, customer_name(&drawn.customer),
                 drawn.amount, workload_time(client));
  return true;
}

static bool order_status(Client *client, const Scale *scale) {
  TpccOrderStatus drawn;
  tpcc_draw_order_status(client, scale, &drawn);
  client_execute(client, "CALL status_of(?, ?, ?, ?)", "iiis", drawn.warehouse, drawn.district,
                 drawn.customer.id, customer_name(&drawn.customer));
  return true;
}

static bool delivery(Client *client, const Scale *scale) {
  TpccDelivery drawn;
  tpcc_draw_delivery(client, scale, &drawn);
  client_execute(client, "CALL deliver(?, ?, ?, ?)", "iiis", drawn.warehouse, scale->value[TPCC_DISTRICTS],
                 drawn.carrier, workload_time(client));
  return true;
}

static bool stock_level(Client *client, const Scale *scale) {
  TpccStockLevel drawn;
  tpcc_draw_stock_level(client, scale, &drawn);
  client_execute(client, "CALL level_of_stock(?, ?, ?)", "iii", drawn.warehouse, drawn.district,
                 drawn.threshold);
  return true;
}

static void populate(Population *population, const Scale *scale) {
  static const char *const procedures[] = {PLACE_ORDER, FIND_CUSTOMER, PAY, STATUS, DELIVER, LEVEL};
  DialectName dialect = population->connection->dialect;
  if (dialect != DIALECT_MARIADB && dialect != DIALECT_MYSQL) {
    diag_fail(population->diag, PLACE_NONE, "tpcc-procedures: only MariaDB and MySQL have these procedures");
    return;
  }
  tpcc_populate(population, scale);
  for (size_t i = 0; i < sizeof procedures / sizeof *procedures; i++)
    population_define(population, procedures[i]);
}

const Workload WORKLOAD_TPCC_PROCEDURES = {
    .name = "tpcc-procedures",
    .summary = "the same as stored procedures with cursors and loops (MariaDB)",
    .parameters = TPCC_PARAMETERS,
    .kinds = {{"new-order", 45, new_order},
              {"payment", 43, payment},
              {"order-status", 4, order_status},
              {"delivery", 4, delivery},
              {"stock-level", 4, stock_level}},
    .populate = populate,
};
