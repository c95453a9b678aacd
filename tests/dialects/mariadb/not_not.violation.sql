-- MariaDB 10.11 answers the last query with the row 2; (NOT NOT 2) is 1.
CREATE TABLE t0 (c0 INT);
INSERT INTO t0 VALUES (2);
-- transactions
SELECT * FROM t0;

SELECT * FROM t0 WHERE (NOT NOT c0) = c0;
