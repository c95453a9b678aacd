# Transactions of unknown status: in or out, at any place that their intervals allow; logs without times.

head='{"alibi":1}
{"setup":"CREATE TABLE t (k INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 0), (2, 0)"}'
set1='"ops":[{"sql":"UPDATE t SET v = 1 WHERE k = 1"}]}'
see() { echo "\"ops\":[{\"sql\":\"SELECT v FROM t WHERE k = 1\",\"rows\":[[$1]]}]}"; }

# The client gave up long before its commit showed: the interval is open.
cat >lost <<END
$head
{"txn":"u","session":"a","status":"unknown","start":1,"commit":[2,null],$set1
{"txn":"r1","session":"b","start":50,"commit":51,$(see 0)
{"txn":"r2","session":"b","start":60,"commit":61,$(see 1)
END
for level in sser ser ssi si rcs rc; do verified lost --level $level; done
verified lost --level si --fresh
expect 1 '"verdict":"violation"' lost --level ser --order given # in the given order it is in or out for both readers
# Once seen it does not go away again.
cat >gone <<END
$head
{"txn":"u","session":"a","status":"unknown","start":1,"commit":[2,null],$set1
{"txn":"r1","session":"b","start":50,"commit":51,$(see 1)
{"txn":"r2","session":"b","start":60,"commit":61,$(see 0)
END
for level in sser ssi "si --fresh"; do expect 1 '"failing_txn":"r2"' gone --level $level; done
verified gone --level si
# Its interval ends: it cannot have come later.
cat >closed <<END
$head
{"txn":"u","session":"a","status":"unknown","start":1,"commit":[2,40],$set1
{"txn":"r1","session":"b","start":50,"commit":51,$(see 0)
{"txn":"r2","session":"b","start":60,"commit":61,$(see 1)
END
for level in sser ssi "si --fresh"; do expect 1 '"verdict":"violation"' closed --level $level; done
# It did not start before its client sent it.
cat >early <<END
$head
{"txn":"r1","session":"b","start":10,"commit":11,$(see 1)
{"txn":"u","session":"a","status":"unknown","start":20,"commit":[21,null],$set1
END
for level in sser ssi si rc; do expect 1 '"verdict":"violation"' early --level $level --order search; done
verified early --level ser

# The first failing prefix needs a later writer before it fails: the report says who took part.
cat >later <<END
$head
{"txn":"r1","ops":[{"sql":"SELECT v FROM t WHERE k = 1","rows":[[1]]}]}
{"txn":"w","ops":[{"sql":"UPDATE t SET v = 1 WHERE k = 1","affected":1}]}
{"txn":"r2","ops":[{"sql":"SELECT v FROM t WHERE k = 2","rows":[[7]]}]}
{"txn":"w2","ops":[{"sql":"UPDATE t SET v = v + 1 WHERE k = 2","affected":1}]}
END
expect 1 '"failing_txn":"r2"' later --level ser --order search
cat >both <<END
$head
{"txn":"r1","ops":[{"sql":"SELECT v FROM t WHERE k = 1","rows":[[1]]}]}
{"txn":"r2","ops":[{"sql":"SELECT v FROM t WHERE k = 2","rows":[[7]]}]}
{"txn":"w","ops":[{"sql":"UPDATE t SET v = 1 WHERE k = 1","affected":1}]}
END
expect 1 '"later_writers":["w"]' both --level ser --order search
"$alibi" check --quiet --level ser --order search both >out
grep -q "took part as writers: w" out || fail "the text does not say who took part: $(cat out)"

# No times, no sessions, or sessions alone: some hundred transactions, in another order than they happened.
make_hundreds() {
  echo '{"alibi":1}'
  echo '{"setup":"CREATE TABLE c (k INT PRIMARY KEY, n INT); INSERT INTO c VALUES (1, 0), (2, 0), (3, 0)"}'
  awk -v sessions="$1" -v count="$2" 'BEGIN {
    for (i = 0; i < count; i++) {
      k = i % 3 + 1
      session = sessions ? sprintf("\"session\":\"s%d\",", i % 4) : ""
      line[i] = sprintf("{\"txn\":%d,%s\"ops\":[{\"sql\":\"SELECT n FROM c WHERE k = %d\",\"rows\":[[%d]]},{\"sql\":\"UPDATE c SET n = n + 1 WHERE k = %d\",\"affected\":1}]}", i, session, k, int(i / 3), k)
    }
    for (i = 0; i < count && !sessions; i += 6) for (j = 0; j < 6; j++) print line[i + (j + 3) % 6]
    for (i = 0; i < count && sessions; i += 4) { print line[i + 1]; print line[i]; print line[i + 3]; print line[i + 2] }
  }'
}
make_hundreds 0 240 >hundreds
make_hundreds 0 96 >hundred
make_hundreds 1 240 >sessions
verified hundreds --level ser --budget 30
for log in hundred sessions; do
  for level in ser si; do verified $log --level $level --budget 30; done
  sed '$s/"rows":\[\[[0-9]*\]\]/"rows":[[990]]/' $log >$log-bad
  for level in ser si; do
    "$alibi" check --quiet --format json --level $level --budget 2 $log-bad >out
    code=$?
    cases=$((cases + 1))
    [ $code -eq 1 ] || [ $code -eq 3 ] || fail "check $log-bad at $level: exit code $code"
  done
done
