-- MariaDB 10.11 answers the last query with the row 1 when the column has an index.
CREATE TABLE t0 (c0 INT);
CREATE INDEX i0 ON t0 (c0);
INSERT INTO t0 VALUES (1);
-- transactions
SELECT * FROM t0;

SELECT * FROM t0 WHERE 0.5 = c0;
