-- Stored procedures in MariaDB: parameters, conditions, loops, cursors, handlers.
CREATE TABLE accounts (id INT PRIMARY KEY, balance DECIMAL(12,2) NOT NULL);
CREATE TABLE log (n INT AUTO_INCREMENT PRIMARY KEY, line VARCHAR(80));
CREATE TABLE t (i INT, j INT);
INSERT INTO accounts VALUES (1, 100.00), (2, 300.00), (3, 50.50);
DELIMITER //
CREATE PROCEDURE Deposit(IN tgt INT, IN amt DECIMAL(12,2)) BEGIN UPDATE accounts SET balance = balance + amt WHERE id = tgt; END//
CREATE PROCEDURE Transfer(IN src INT, IN tgt INT, IN amt DECIMAL(12,2), OUT done BOOLEAN)
BEGIN
  DECLARE b DECIMAL(12,2) DEFAULT 0;
  SET done = FALSE;
  SELECT balance INTO b FROM accounts WHERE id = src FOR UPDATE;
  IF b >= amt THEN
    UPDATE accounts SET balance = balance - amt WHERE id = src;
    CALL Deposit(tgt, amt);
    SET done = TRUE;
  ELSEIF b IS NULL THEN
    SET done = NULL;
  END IF;
END//
CREATE PROCEDURE Fill(IN n INT)
BEGIN
  DECLARE i, j INT DEFAULT 0;
  WHILE i < n DO
    SET j = 0;
    REPEAT
      INSERT INTO t VALUES (i, j);
      SET j = j + 1;
    UNTIL j > i END REPEAT;
    SET i = i + 1;
  END WHILE;
END//
CREATE PROCEDURE Odd(OUT s INT)
BEGIN
  DECLARE i INT DEFAULT 0;
  SET s = 0;
  again: LOOP
    SET i = i + 1;
    IF i > 9 THEN LEAVE again; END IF;
    IF i % 2 = 0 THEN ITERATE again; END IF;
    SET s = s + i;
  END LOOP again;
END//
CREATE PROCEDURE Grade(IN n INT, OUT g VARCHAR(10), INOUT c INT)
BEGIN
  CASE n WHEN 1 THEN SET g = 'one'; WHEN 2 THEN SET g = 'two'; ELSE SET g = 'many'; END CASE;
  CASE WHEN n < 2 THEN SET c = c + 1; WHEN n < 4 THEN SET c = c + 10; ELSE BEGIN END; END CASE;
END//
CREATE PROCEDURE Total(IN least DECIMAL(12,2), OUT s DECIMAL(12,2), OUT n INT)
BEGIN
  DECLARE done INT DEFAULT 0;
  DECLARE x DECIMAL(12,2);
  DECLARE c CURSOR FOR SELECT balance FROM accounts WHERE balance >= least ORDER BY id;
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1;
  SET s = 0, n = 0;
  OPEN c;
  FETCH c INTO x;
  WHILE NOT done DO
    SET s = s + x, n = n + 1;
    FETCH c INTO x;
  END WHILE;
  CLOSE c;
END//
CREATE PROCEDURE Nested(OUT r VARCHAR(100))
BEGIN
  DECLARE a, b INT;
  DECLARE done INT DEFAULT FALSE;
  DECLARE outer_cursor CURSOR FOR SELECT id FROM accounts ORDER BY id;
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = TRUE;
  SET r = '';
  OPEN outer_cursor;
  walk: LOOP
    FETCH outer_cursor INTO a;
    IF done THEN LEAVE walk; END IF;
    BEGIN
      DECLARE finished INT DEFAULT FALSE;
      DECLARE inner_cursor CURSOR FOR SELECT id FROM accounts WHERE id < a ORDER BY id DESC;
      DECLARE CONTINUE HANDLER FOR NOT FOUND SET finished = TRUE;
      OPEN inner_cursor;
      REPEAT
        FETCH inner_cursor INTO b;
        IF NOT finished THEN SET r = CONCAT(r, a, '>', b, ' '); END IF;
      UNTIL finished END REPEAT;
      CLOSE inner_cursor;
    END;
  END LOOP;
  CLOSE outer_cursor;
END//
CREATE PROCEDURE Careful(IN n INT, OUT r INT)
BEGIN
  DECLARE EXIT HANDLER FOR SQLEXCEPTION SET r = -1;
  SET r = 0;
  INSERT INTO accounts VALUES (n + 10, 1);
  INSERT INTO accounts VALUES (n, 1);
  SET r = 1;
END//
CREATE PROCEDURE Stubborn(OUT failures INT)
BEGIN
  DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET failures = failures + 1;
  SET failures = 0;
  INSERT INTO accounts VALUES (1, 1);
  INSERT INTO accounts VALUES (70, 7);
  INSERT INTO accounts VALUES (70, 8);
END//
CREATE PROCEDURE Missing(IN who INT, OUT b DECIMAL(12,2))
BEGIN
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET b = -1;
  SELECT balance INTO b FROM accounts WHERE id = who;
END//
CREATE PROCEDURE Report()
BEGIN
  SELECT id, balance FROM accounts ORDER BY id;
  SELECT COUNT(*), SUM(balance) FROM accounts;
END//
CREATE PROCEDURE Loops(IN n INT, OUT s INT)
BEGIN
  SET s = 0;
  FOR i IN 1..n DO SET s = s + i; END FOR;
  FOR r IN (SELECT id FROM accounts WHERE id <= 3 ORDER BY id) DO SET s = s + r.id * 100; END FOR;
END//
CREATE PROCEDURE Raise() BEGIN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'; END//
DELIMITER ;
-- transactions
CALL Deposit(2, 100.00);
SELECT balance FROM accounts WHERE id = 2;
CALL Transfer(1, 2, 60, @ok);
SELECT @ok;
CALL Transfer(1, 2, 60, @ok);
SELECT @ok;
SELECT id, balance FROM accounts ORDER BY id;

CALL Fill(3);
SELECT i, j FROM t ORDER BY i, j;
CALL Odd(@s);
SELECT @s;
SET @c = 5;
CALL Grade(1, @g, @c);
SELECT @g, @c;
CALL Grade(2, @g, @c);
SELECT @g, @c;
CALL Grade(9, @g, @c);
SELECT @g, @c;

CALL Total(60, @s, @n);
SELECT @s, @n;
CALL Total(100000, @s, @n);
SELECT @s, @n;
CALL Nested(@r);
SELECT @r;

CALL Careful(1, @r);
SELECT @r;
CALL Careful(20, @r);
SELECT @r;
CALL Stubborn(@f);
SELECT @f;
SELECT id FROM accounts ORDER BY id;

CALL Missing(1, @b);
SELECT @b;
CALL Missing(999, @b);
SELECT @b;
CALL Report();
CALL Loops(4, @s);
SELECT @s;
CALL Raise();
CALL NoSuchProcedure();
CALL Deposit(1);
SET @a = 1, @b = @a + 1;
SELECT @a, @b, @unset;
SELECT id INTO @first FROM accounts ORDER BY id LIMIT 1;
SELECT @first;
