-- Strict mode: where a bad value is an error, where only a warning; what is checked first.
CREATE TABLE s (a INT PRIMARY KEY, b INT, c VARCHAR(20), KEY (b));
INSERT INTO s VALUES (1, 1, 'x'), (2, 2, 'y'), (3, NULL, '3');
CREATE TABLE need (id INT PRIMARY KEY, n INT NOT NULL, t VARCHAR(5) NOT NULL);
CREATE TABLE link (id INT PRIMARY KEY, up INT REFERENCES link(id));
CREATE TABLE odd (i INT PRIMARY KEY, e TINYINT DEFAULT (('x y' NOT IN ('a', 0.5e0))));
-- transactions
UPDATE s SET b = b WHERE c + 0 = 9;
UPDATE s SET a = a WHERE c + 0 = 9;
UPDATE s SET b = b WHERE 'x';
UPDATE s SET b = b WHERE (NULL XOR SUBSTRING('abc', 3, 0));
UPDATE s SET b = b WHERE c XOR NULL;
UPDATE s SET b = b WHERE 1 / 0;
UPDATE s SET c = c WHERE c + 0 = 9 ORDER BY b;
DELETE FROM s WHERE c + 0 = 9;
UPDATE s SET b = 'x' + 1;
UPDATE s SET b = ('x' <=> b) % (DATE '2024-02-29' != NULL);
UPDATE s SET b = NULL XOR 'x';
UPDATE s SET b = 'x' = NULL;
SELECT * FROM s ORDER BY a;

INSERT INTO s (a) SELECT 1 / 0 FROM s LIMIT 0;
INSERT INTO s (a) SELECT 9 FROM s WHERE c + 0 = 9;
INSERT INTO s (a) SELECT 9 FROM s WHERE 'x';
INSERT INTO s (a, c) VALUES (7, MONTH('abc'));
INSERT INTO odd (i) VALUES (29);
SELECT * FROM odd;

INSERT INTO need (id) VALUES (1) ON DUPLICATE KEY UPDATE n = VALUES(n), t = 'c';
INSERT INTO need (id) VALUES (1) ON DUPLICATE KEY UPDATE n = VALUES(n) + 7, t = 'd';
INSERT INTO need (id, n) VALUES ('x', 2);
INSERT INTO need (id, n) SELECT 'x', 2 FROM s WHERE FALSE;
INSERT INTO need (id) SELECT 3 ON DUPLICATE KEY UPDATE n = 1, t = 'c';
UPDATE need SET n = NULL, t = CAST('abc' AS DATE);
SELECT * FROM need;

INSERT IGNORE INTO link VALUES (44, 44), (45, 46);
SELECT * FROM link;

CREATE INDEX one ON link (up);

CREATE INDEX two ON link (up, id);

DROP INDEX one ON link;

DROP INDEX two ON link;

CREATE TABLE bad (h DATE DEFAULT (CASE WHEN FALSE THEN DATE '2024-02-29' END) NOT NULL);

CREATE TABLE bad (d DATE DEFAULT (MONTH(DATE '2024-02-29')));
