-- No integer is one half.  MariaDB 10.11 looks 0.5 up in the index of an integer column, as 1.
CREATE TABLE t0 (c0 INT);
CREATE INDEX i0 ON t0 (c0);
INSERT INTO t0 VALUES (1);
-- transactions
SELECT * FROM t0 WHERE 0.5 = c0;
