-- Two accounts, a transfer, a withdrawal that is refused, and what everybody saw.
CREATE TABLE accounts (id INT PRIMARY KEY, owner VARCHAR(20) NOT NULL, balance DECIMAL(12,2) NOT NULL CHECK (balance >= 0));
INSERT INTO accounts VALUES (1, 'ada', 100.00), (2, 'bob', 300.00);
-- transactions
UPDATE accounts SET balance = balance - 30.00 WHERE id = 1;
UPDATE accounts SET balance = balance + 30.00 WHERE id = 2;

SELECT owner, balance FROM accounts ORDER BY owner;

SAVEPOINT before;
UPDATE accounts SET balance = balance - 500.00 WHERE owner = 'bob';
ROLLBACK TO SAVEPOINT before;
SELECT COUNT(*) AS n, SUM(balance) AS total, AVG(balance) AS mean FROM accounts;
