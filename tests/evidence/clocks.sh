# Clocks of different hosts: --clock-error.

head='{"alibi":1}
{"setup":"CREATE TABLE t (k INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 0)"}'
write='"ops":[{"sql":"UPDATE t SET v = 1 WHERE k = 1","affected":1}]}'
old='"ops":[{"sql":"SELECT v FROM t WHERE k = 1","rows":[[0]]}]}'

# The reader started one tick behind the writer's commit and did not see it.
cat >late <<END
$head
{"txn":"w","start":1,"commit":10,$write
{"txn":"r","start":11,"commit":12,$old
END
for level in sser ssi "si --fresh" "rc --fresh" "pg-rc --fresh"; do
  expect 1 '"verdict":"violation"' late --level $level
  expect 1 '"verdict":"violation"' late --level $level --clock-error 0
  verified late --level $level --clock-error 1
done
# The core shows times as they were recorded.
cat >later <<END
$head
{"txn":"w","start":1,"commit":10,$write
{"txn":"r","start":21,"commit":22,$old
END
expect 1 '"commit":10' later --level sser --clock-error 5
verified later --level sser --clock-error 6

# Times of operations are widened too.
cat >operation <<END
$head
{"txn":"w","start":1,"commit":10,$write
{"txn":"r","start":5,"commit":30,"ops":[{"sql":"SELECT v FROM t WHERE k = 1","rows":[[0]],"start":12}]}
END
expect 1 '"verdict":"violation"' operation --level rcs --fresh
verified operation --level rcs --fresh --clock-error 1

# A witness without its clock error does not hold.
"$alibi" check --quiet --level sser --clock-error 6 --witness witness later >out
sed -i 's|,"clock_error":6||' witness
"$alibi" verify --quiet later witness && fail "a witness holds without its clock error"
sed -i '1s/"order"/"clock_error":-1,"order"/' witness
"$alibi" verify --quiet later witness 2>err
[ $? -eq 2 ] || fail "a witness with a negative clock error is bad input"
