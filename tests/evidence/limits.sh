# Limits: `unknown` within about a second of the budget, with the prefix that was proved; never a crash.

# limited SECONDS TEXT ARGUMENTS...: unknown for the reason TEXT, within SECONDS.
limited() {
  local seconds=$1 text=$2 begin end
  shift 2
  begin=$(date +%s%N)
  expect 3 "$text" "$@"
  end=$(date +%s%N)
  [ $(((end - begin) / 1000000)) -le $((seconds * 1000)) ] || fail "check $*: $(((end - begin) / 1000000)) ms"
}
slack=${ALIBI_TEST_SLACK:-4} # of a busy machine

# One statement that would take hours, behind a good transaction.
{
  echo '{"alibi":1}'
  echo '{"setup":"CREATE TABLE n (k INT PRIMARY KEY)"}'
  awk 'BEGIN { printf "{\"table\":\"n\",\"rows\":["; for (i = 0; i < 3000; i++) printf "%s[%d]", i ? "," : "", i; print "]}" }'
  echo '{"txn":1,"ops":[{"sql":"SELECT COUNT(*) FROM n","rows":[[3000]]}]}'
  echo '{"txn":2,"ops":[{"sql":"SELECT COUNT(*) FROM n a, n b, n c, n d WHERE a.k + b.k + c.k + d.k = 7","rows":[[1]]}]}'
  echo '{"txn":3,"ops":[{"sql":"SELECT COUNT(*) FROM n","rows":[[3000]]}]}'
} >long-statement
for level in ser si rc pg-rc; do
  for order in given search; do
    limited $((1 + slack)) 'the budget of 0.5 seconds ran out' long-statement --level $level --order $order --budget 0.5
  done
done
limited $((1 + slack)) '"checked":1' long-statement --level ser --order given --budget 0.5
# A procedure that does not end.
{
  echo '{"alibi":1,"dialect":"mariadb"}'
  echo '{"setup":"CREATE PROCEDURE p() BEGIN DECLARE i INT DEFAULT 0; WHILE i < 9000000 DO SET i = i + 1; END WHILE; END"}'
  echo '{"txn":1,"ops":[{"sql":"SELECT 1","rows":[[1]]}]}'
  echo '{"txn":2,"ops":[{"sql":"CALL p()"}]}'
} >long-loop
limited $((1 + slack)) 'the budget of 0.2 seconds ran out' long-loop --level ser --budget 0.2

# Too many orders to try: nothing orders forty counters' readers, and one of them lies.
{
  echo '{"alibi":1}'
  echo '{"setup":"CREATE TABLE c (k INT PRIMARY KEY, n INT)"}'
  awk 'BEGIN {
    printf "{\"table\":\"c\",\"rows\":["; for (i = 0; i < 40; i++) printf "%s[%d,0]", i ? "," : "", i; print "]}"
    for (i = 0; i < 40; i++) printf "{\"txn\":\"w%d\",\"ops\":[{\"sql\":\"UPDATE c SET n = n + 1 WHERE k = %d\"}]}\n", i, i
    for (i = 0; i < 40; i++) printf "{\"txn\":\"r%d\",\"ops\":[{\"sql\":\"SELECT SUM(n) FROM c\",\"rows\":[[%d]]}]}\n", i, i == 39 ? 41 : i
  }'
} >many-orders
for level in ser si; do limited $((2 + slack)) '"verdict":"unknown"' many-orders --level $level --order search --budget 1; done

# Memory: rows that are many, ways that are many.
{
  echo '{"alibi":1}'
  echo '{"setup":"CREATE TABLE n (k INT PRIMARY KEY)"}'
  awk 'BEGIN { printf "{\"table\":\"n\",\"rows\":["; for (i = 0; i < 4000; i++) printf "%s[%d]", i ? "," : "", i; print "]}" }'
  echo '{"txn":1,"ops":[{"sql":"SELECT COUNT(*) FROM n","rows":[[4000]]}]}'
  echo '{"txn":2,"ops":[{"sql":"SELECT a.k FROM n a, n b ORDER BY a.k + b.k","rows":[[1]]}]}'
} >many-rows
for level in ser si; do
  expect 3 'the memory limit of 100 MB was reached' many-rows --level $level --memory 100 --order given
done
expect 3 '"checked":1' many-rows --level ser --memory 100 --order given
