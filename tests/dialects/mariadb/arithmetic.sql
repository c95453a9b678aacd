-- Numbers in MariaDB.
CREATE TABLE n (id INT PRIMARY KEY, t TINYINT, i INT, b BIGINT, u INT UNSIGNED, bu BIGINT UNSIGNED, d DECIMAL(10,2), f DOUBLE, g FLOAT);
INSERT INTO n VALUES (1, 7, -7, 9223372036854775807, 5, 18446744073709551615, 12.50, 0.1, 0.5), (2, -128, 2147483647, -5, 0, 3, -0.01, -2.5, 1.25), (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
-- transactions
SELECT id, i / 2, i DIV 2, i % 3, i MOD 4, t / 3 FROM n ORDER BY id;
SELECT id, d / 3, d * d, d + 1, d - 0.005, -d, d DIV 2, d % 5 FROM n ORDER BY id;
SELECT id, f * 3, f + 1, f / 7, f * d, f = 0.1, g * 2 FROM n ORDER BY id;
SELECT 7 / 2, -7 / 2, 7 DIV 2, -7 DIV 2, 7 % -3, -7 % 3, 7.0 / 2, 1.0 / 3, 10.00 / 3, 1 / 3.0, 2 / 3;
SELECT 0.1 + 0.2, 0.1 + 0.2 = 0.3, 1.10 = 1.1, 100 * 1.05, 1.5 * 1.5, 1e0 / 3;
SELECT 1 / 0, 1 DIV 0, 1 % 0, 1.0 / 0, 0 / 0;
SELECT b + 1 FROM n WHERE id = 1;
SELECT u - 6 FROM n WHERE id = 1;
SELECT bu + 1 FROM n WHERE id = 1;
SELECT b * 2 FROM n WHERE id = 1;
SELECT i + 1, i * i FROM n WHERE id = 2;
SELECT -b FROM n WHERE id = 1;
SELECT 9223372036854775807 + 1;
SELECT 9223372036854775808 + 1, 18446744073709551615, 18446744073709551616;
SELECT 5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 4, 256 >> 3, 1 << 64, -1 >> 60;
SELECT ABS(-3), ABS(-3.5), SIGN(-2.5), ROUND(2.5), ROUND(-2.5), ROUND(2.345, 2), ROUND(1234.5, -2), ROUND(2.5e0), ROUND(3.5e0);
SELECT FLOOR(-1.5), CEIL(-1.5), CEILING(1.2), TRUNCATE(1.987, 1), TRUNCATE(-1.9, 0), MOD(7, 3), MOD(-7, 3), MOD(7.5, 2);
SELECT POW(2, 10), POWER(2, 3), SQRT(16);
SELECT GREATEST(1, 2, NULL), LEAST(3, 1, 2), GREATEST(1, 2.5), LEAST('a', 'b');
SELECT TRUE + TRUE, FALSE, NOT 5, NOT 0, NOT NULL, !1, 1 AND 2, 0 OR 0.1, 1 XOR 1, NULL XOR 1, NULL AND 0, NULL OR 1;
SELECT 1 = 1.0, 1 = 1e0, '1' = 1, '1.0' = 1, 'abc' = 0, '1abc' = 1, '' = 0, NULL <=> NULL, 1 <=> NULL;
SELECT '3' + 4, '3.5' + 1, 'abc' + 1, '1e2' + 0, '-5x' * 2, ' 7' + 0;
SELECT 5 BETWEEN 1 AND 10, 5 NOT BETWEEN 6 AND 10, NULL BETWEEN 1 AND 2, 3 IN (1, 2, 3), 3 IN (1, NULL), 3 NOT IN (1, NULL);
SELECT IF(0.1, 'yes', 'no'), IF('0', 'yes', 'no'), IF('0.5', 'yes', 'no'), IF(NULL, 'yes', 'no'), IFNULL(NULL, 3), NULLIF(1, 1), NULLIF(1, 2);

INSERT INTO n (id, t) VALUES (10, 200);
INSERT INTO n (id, i) VALUES (10, 2147483648);
INSERT INTO n (id, u) VALUES (10, -1);
INSERT INTO n (id, d) VALUES (10, 123456789.00);
INSERT INTO n (id, d) VALUES (11, 0.005), (12, -0.005), (13, 0.0049999);
INSERT INTO n (id, i) VALUES (14, '12');
INSERT INTO n (id, i) VALUES (15, 'abc');
INSERT INTO n (id, i) VALUES (15, '12abc');
INSERT INTO n (id, i) VALUES (16, 2.5), (17, 3.5), (18, -2.5), (19, 2.5e0);
UPDATE n SET i = 1 / 0 WHERE id = 1;
UPDATE n SET t = t - 1 WHERE id = 2;
SELECT id, i, d FROM n WHERE id >= 10 ORDER BY id;

SELECT SUM(t), SUM(i), SUM(b), SUM(d), AVG(i), AVG(d), MIN(d), MAX(f), COUNT(*), COUNT(i) FROM n WHERE id <= 3;
SELECT AVG(t), AVG(f), SUM(f) FROM n WHERE id <= 2;
SELECT SUM(i), AVG(i), MAX(i), COUNT(i) FROM n WHERE id > 100;
SELECT SUM(DISTINCT t), COUNT(DISTINCT d) FROM n;
SELECT BIT_AND(id), BIT_OR(id), BIT_XOR(id) FROM n WHERE id <= 3;
