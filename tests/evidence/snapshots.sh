# --trust-snapshots: which commits a transaction saw is known.

# t saw the second write, or says so.
log() { # SNAPSHOT READ
  cat >log.jsonl <<LOG
{"alibi":1,"dialect":"postgresql","level":"si"}
{"setup":"CREATE TABLE a (id INT PRIMARY KEY, v INT); INSERT INTO a VALUES (1, 0), (2, 0)"}
{"txn":"one","xid":"10","snapshot":"10:10:","ops":[{"sql":"UPDATE a SET v = 1 WHERE id = 1","affected":1}]}
{"txn":"two","xid":"12","snapshot":"12:12:","ops":[{"sql":"UPDATE a SET v = 2 WHERE id = 1","affected":1}]}
{"txn":"t","xid":"13","snapshot":"$1","ops":[{"sql":"SELECT v FROM a WHERE id = 1","rows":[[$2]]},{"sql":"UPDATE a SET v = 3 WHERE id = 2","affected":1}]}
LOG
}
log 13:13: 2
verified log.jsonl --trust-snapshots
expect 0 '"snapshots_trusted":3' log.jsonl --trust-snapshots
log 12:13:12 1
verified log.jsonl --trust-snapshots
verified log.jsonl --trust-snapshots --order given
log 13:13: 1
expect 0 '"verdict":"correct"' log.jsonl
expect 1 '{"txn":"t","snapshot":"13:13:"}' log.jsonl --trust-snapshots
expect 1 "statement 1 of transaction 't' does not show what its snapshot 13:13: saw" log.jsonl --trust-snapshots
expect 1 '"core_minimal":true' log.jsonl --trust-snapshots
expect 1 "in the state that its snapshot 13:13: saw" log.jsonl --trust-snapshots --order given
log 12:13:12 2
expect 1 '"verdict":"violation"' log.jsonl --trust-snapshots
expect 0 '"verdict":"correct"' log.jsonl
# Not the answer of t is wrong, but what the snapshots say of the order.
log 10:13:10 0
sed -i 's/"12:12:"/"10:12:10"/' log.jsonl
expect 1 '"verdict":"violation"' log.jsonl --trust-snapshots

# At ser the serial order is another one than that of the commits; what was read is from the snapshots all the same.
cat >skew.jsonl <<'LOG'
{"alibi":1,"dialect":"postgresql","level":"ser"}
{"setup":"CREATE TABLE a (id INT PRIMARY KEY, v INT); INSERT INTO a VALUES (1, 0), (2, 0)"}
{"txn":"w","xid":"10","snapshot":"10:10:","ops":[{"sql":"UPDATE a SET v = 1 WHERE id = 1","affected":1}]}
{"txn":"r","xid":"11","snapshot":"10:11:10","ops":[{"sql":"SELECT v FROM a WHERE id = 1","rows":[[0]]},{"sql":"UPDATE a SET v = 1 WHERE id = 2","affected":1}]}
LOG
verified skew.jsonl --trust-snapshots
sed 's/"10:11:10"/"11:11:"/' skew.jsonl >seen.jsonl
expect 0 '"verdict":"correct"' seen.jsonl
expect 1 "statement 1 of transaction 'r' does not show what its snapshot 11:11: saw" seen.jsonl --trust-snapshots

# Two snapshots of which none sees all that the other does; times that contradict one.
cat >two.jsonl <<'LOG'
{"alibi":1,"dialect":"postgresql","level":"si"}
{"setup":"CREATE TABLE a (id INT PRIMARY KEY, v INT); INSERT INTO a VALUES (1, 0), (2, 0)"}
{"txn":"p","xid":"10","snapshot":"10:10:","commit":[5,6],"ops":[{"sql":"UPDATE a SET v = 1 WHERE id = 1","affected":1}]}
{"txn":"q","xid":"11","snapshot":"10:11:10","commit":[5,7],"ops":[{"sql":"UPDATE a SET v = 1 WHERE id = 2","affected":1}]}
{"txn":"x","snapshot":"11:12:11","start":[6,10],"ops":[{"sql":"SELECT 1","rows":[[1]]}]}
{"txn":"y","snapshot":"10:12:10","start":[6,10],"ops":[{"sql":"SELECT 1","rows":[[1]]}]}
LOG
expect 0 '"verdict":"correct"' two.jsonl
expect 1 "the snapshot 11:12:11 of transaction 'x' saw transaction 'p' and not 'q', and the snapshot 10:12:10 of transaction 'y' saw 'q' and not 'p'" two.jsonl --trust-snapshots
sed '/"y"/d; s/\[6,10\]/[8,10]/' two.jsonl >late.jsonl
expect 0 '"verdict":"correct"' late.jsonl --trust-snapshots
expect 1 "the snapshot 11:12:11 of transaction 'x' did not see transaction 'q', which had certainly committed before it started" late.jsonl --trust-snapshots --fresh

# What cannot be used is said; what is not of the form is bad input.
expect 0 '"snapshots_unused":"the level is not one of si, ser and sser"' two.jsonl --trust-snapshots --level rc
sed 's/"snapshot":"[^"]*",//' two.jsonl >none.jsonl
expect 0 '"snapshots_unused":"no committed transaction has one"' none.jsonl --trust-snapshots
sed 's/11:12:11/11:12;11/' two.jsonl >form.jsonl
expect 0 '"verdict":"correct"' form.jsonl
expect 2 "'11:12;11' is not a snapshot" form.jsonl --trust-snapshots
