-- NOT NOT 2 is 1, and 1 is not 2: no row is right.  MariaDB 10.11 takes NOT NOT away and finds one.
CREATE TABLE t0 (c0 INT);
INSERT INTO t0 VALUES (2);
-- transactions
SELECT * FROM t0 WHERE (NOT NOT c0) = c0;
