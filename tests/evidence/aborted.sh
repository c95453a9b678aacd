# Aborted transactions: never visible; with --aborted-reads what they read must be explained at the level.

head='{"alibi":1}
{"setup":"CREATE TABLE t (k INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 0), (2, 0)"}'
both='UPDATE t SET v = v + 1'
read() { echo "{\"sql\":\"SELECT v FROM t ORDER BY k\",\"rows\":[[$1],[$2]]}"; }

# Half of a commit: only rc mixes states.
cat >torn <<END
$head
{"txn":"w","ops":[{"sql":"$both","affected":2}]}
{"txn":"a","status":"aborted","ops":[$(read 1 0)]}
END
for level in sser ser ssi si rcs pg-rc innodb-rr innodb-rc; do
  for order in given search auto; do
    expect 0 '"verdict":"correct"' torn --level $level --order $order
    expect 1 '"failing_txn":"a"' torn --level $level --order $order --aborted-reads
    expect 1 '"failing_prefix":1' torn --level $level --order $order --aborted-reads
  done
done
expect 1 '"core":[{"txn":"a","op":0' torn --level ser --aborted-reads
expect 1 '{"txn":"a","aborted":true}' torn --level ser --aborted-reads
for order in given search; do verified torn --level rc --order $order --aborted-reads; done

# It reads what it wrote itself, and nobody else does.
cat >own <<END
$head
{"txn":"a","status":"aborted","ops":[{"sql":"$both"},$(read 1 1)]}
{"txn":"r","ops":[$(read 0 0)]}
END
for level in sser ser ssi si rcs rc pg-rc innodb-rr innodb-rc; do
  for order in given search; do verified own --level $level --order $order --aborted-reads; done
done
sed 's/\[\[0\],\[0\]\]/[[1],[1]]/' own >seen
for level in ser si rc; do
  for option in "" --aborted-reads; do expect 1 '"failing_txn":"r"' seen --level $level --order search $option; done
done

# Its line has no place: it may have read what stands behind it, but for its times and its session.
cat >behind <<END
$head
{"txn":"a","status":"aborted","ops":[$(read 1 1)]}
{"txn":"w","ops":[{"sql":"$both","affected":2}]}
END
for level in sser ser ssi si rc; do
  for order in given search; do verified behind --level $level --order $order --aborted-reads; done
done
cat >ended <<END
$head
{"txn":"a","status":"aborted","start":1,"commit":2,"ops":[$(read 1 1)]}
{"txn":"w","start":5,"commit":6,"ops":[{"sql":"$both","affected":2}]}
END
for level in sser ssi si rcs rc; do expect 1 '"failing_txn":"a"' ended --level $level --order search --aborted-reads; done
for level in sser ssi; do expect 1 '"failing_txn":"a"' ended --level $level --order given --aborted-reads; done
verified ended --level ser --aborted-reads
verified ended --level si --order given --aborted-reads # there the order alone is asked about
cat >session <<END
$head
{"txn":"a","session":"s","status":"aborted","ops":[$(read 1 1)]}
{"txn":"w","session":"s","ops":[{"sql":"$both","affected":2}]}
END
for level in sser ssi si rc; do
  for order in given search; do expect 1 '"failing_txn":"a"' session --level $level --order $order --aborted-reads; done
done
verified session --level ser --aborted-reads

# A write conflict is a reason to abort, and so is an error; what comes behind it in PostgreSQL fails, too.
cat >conflict <<END
$head
{"txn":"w","start":1,"commit":10,"ops":[{"sql":"$both","affected":2}]}
{"txn":"a","status":"aborted","start":5,"commit":20,"ops":[$(read 0 0),{"sql":"UPDATE t SET v = 9 WHERE k = 1","affected":1}]}
END
for order in given search; do verified conflict --level si --order $order --aborted-reads; done
sed 's/{"alibi":1}/{"alibi":1,"dialect":"postgresql"}/; s/,"affected":1}\]/,"error":"40001"},{"sql":"SELECT 1","error":"25P02"}]/' conflict >refused
for level in si repeatable-read; do verified refused --level $level --aborted-reads; done

# The witness has a place for it, and no other can do without.
"$alibi" check --quiet --level si --aborted-reads --witness witness own >out
grep -q '"txn":"a"' witness || fail "the witness has no place for the aborted transaction"
sed '/"txn":"a"/d; s/"end":2/"end":1/' witness >shorter
"$alibi" verify --quiet own shorter && fail "a witness holds without the aborted transaction"

# No state has to hold what an aborted transaction wrote: a value that is unique in what it saw may be taken by then.
cat >taken <<END
{"alibi":1}
{"setup":"CREATE TABLE u (k INT PRIMARY KEY, v INT UNIQUE); INSERT INTO u VALUES (1, 1), (2, 2)"}
{"txn":"w","ops":[{"sql":"INSERT INTO u VALUES (3, 0)","affected":1}]}
{"txn":"a","status":"aborted","ops":[{"sql":"SELECT COUNT(*) FROM u WHERE k = 3","rows":[[1]]},{"sql":"UPDATE u SET v = 0 WHERE k = 1","affected":1}]}
END
expect 0 '"verdict":"correct"' taken --level rc --order search --aborted-reads
expect 1 '"failing_txn":"a"' taken --level rcs --order search --aborted-reads
verified taken --level rc --order search --aborted-reads

# Rows that an aborted transaction made, in one of several ways, are gone with it.
cat >made <<END
$head
{"txn":"w","ops":[{"sql":"DELETE FROM t WHERE k = 2","affected":1},{"sql":"UPDATE t SET v = 3 WHERE k = 1","affected":1}]}
{"txn":"a","status":"aborted","ops":[{"sql":"INSERT INTO t SELECT k + 2, v FROM t","affected":2},{"sql":"SELECT v FROM t","rows":[[0],[0],[0],[0]]}]}
END
expect 0 '"verdict":"correct"' made --level rc --order given --aborted-reads
verified made --level rc --order given --aborted-reads

# A savepoint reads nothing: when it was sent says nothing of the states that are read behind it.
cat >sent <<END
$head
{"txn":"w","start":[3,13],"commit":[7,13],"ops":[{"sql":"UPDATE t SET v = 3","affected":2,"start":5}]}
{"txn":"a","status":"aborted","start":[-4,15],"ops":[{"sql":"SAVEPOINT s","start":15},{"sql":"SELECT v FROM t ORDER BY k","rows":[[0],[0]]}]}
END
expect 0 '"verdict":"correct"' sent --level rcs --order search --fresh --aborted-reads
