-- MariaDB takes a computed unsigned bound of BETWEEN for negative where it caches it: the same condition is 1 when selected.
CREATE TABLE t (e INT PRIMARY KEY, g VARCHAR(10));
INSERT INTO t VALUES (1, '-2.25'), (3, '0');
-- transactions
SELECT CAST(g AS DECIMAL(12,2)) NOT BETWEEN (~ 4) AND COALESCE(FALSE, -0.5e0) FROM t;

SELECT COUNT(*) FROM t WHERE CAST(g AS DECIMAL(12,2)) NOT BETWEEN (~ 4) AND COALESCE(FALSE, -0.5e0);
