"""What the tests of live runs share: databases, runs and their tables, and the form of a transcript.

`problems_of` is written from docs/transcript.md alone, and stricter: a recorder writes no field that the page
does not name, and one clock runs through the whole file.
"""

import json
import os
import re
import subprocess

URLS = {"sqlite": "sqlite:", "postgresql": os.environ.get("ALIBI_POSTGRESQL_URL"),
        "mariadb": os.environ.get("ALIBI_MARIADB_URL")}
RESTARTS = {"postgresql": os.environ.get("ALIBI_POSTGRESQL_RESTART"), "mariadb": os.environ.get("ALIBI_MARIADB_RESTART")}
WORKLOADS = ["bank", "smallbank", "twitter", "rubis", "tpcc", "append", "clash", "fuzz", "tpcc-procedures"]
# The scale of the paper's comparison, and little tables so that clients meet.
SMALL = {"bank": "accounts=50", "smallbank": "customers=50,hot=10", "twitter": "users=50,follows=5,tweets=50",
         "rubis": "users=50,items=100,categories=5,regions=5", "tpcc": "districts=2,customers=3,items=1,orders=3",
         "tpcc-procedures": "districts=2,customers=3,items=1,orders=3"}
STATUSES = ["committed", "aborted", "unknown"]


def workloads_of(database):
    return [name for name in WORKLOADS if name != "tpcc-procedures" or database == "mariadb"]


def run(alibi, workload, url, log, *more):
    """The run's closing table; raises where it fails."""
    command = [alibi, "run", workload, "--db", url, "--out", str(log), *map(str, more)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr}")
    return done.stderr


def check(alibi, log, *more):
    """The JSON report of an audit; raises where there is none within two minutes."""
    command = [alibi, "check", str(log), "--format", "json", "--quiet", *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise RuntimeError(f"check {log}: exit code {done.returncode}: {done.stderr}") from None


def read(log):
    with open(log, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def table_row(table, name="all"):
    """committed, aborted, refused, retried, failed, unknown of one row of the run's table."""
    row = next(line for line in table.splitlines() if line.startswith(f"{name} ")).split()[1:]
    return dict(zip(["committed", "aborted", "refused", "retried", "failed", "unknown"], map(int, row[:6])))


def counts_of(lines):
    counts = dict.fromkeys(STATUSES, 0)
    for line in lines:
        if "txn" in line:
            counts[line.get("status", "committed")] += 1
    return counts


def counts_agree(table, lines):
    row = table_row(table)
    aborted = row["aborted"] + row["refused"] + row["failed"]
    return counts_of(lines) == {"committed": row["committed"], "aborted": aborted, "unknown": row["unknown"]}


# ---- the form ----

def is_value(value):
    if isinstance(value, int) and not isinstance(value, bool):
        return -2**63 <= value < 2**64
    return value is None or isinstance(value, (bool, str, float))


def is_rows(rows):
    return isinstance(rows, list) and all(isinstance(row, list) and all(map(is_value, row)) for row in rows) \
        and len({len(row) for row in rows}) <= 1


def interval(time, is_open=False):
    """(lo, hi), or None where it is neither an instant nor an interval."""
    if isinstance(time, int) and not isinstance(time, bool):
        return time, time
    if not isinstance(time, list) or len(time) != 2 or not isinstance(time[0], int):
        return None
    if time[1] is None:
        return (time[0], float("inf")) if is_open else None
    return (time[0], time[1]) if isinstance(time[1], int) and time[0] <= time[1] else None


def is_texts(value):
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


OPERATION = {"sql": lambda v: isinstance(v, str), "params": lambda v: isinstance(v, list) and all(map(is_value, v)),
             "rows": is_rows, "results": lambda v: isinstance(v, list) and len(v) > 1 and all(map(is_rows, v)),
             "columns": is_texts, "affected": lambda v: isinstance(v, int) and v >= 0,
             "error": lambda v: isinstance(v, str) and v, "start": interval, "end": interval}
TRANSACTION = {"txn": lambda v: isinstance(v, (str, int)), "session": lambda v: isinstance(v, str),
               "status": lambda v: v in STATUSES, "start": interval, "commit": lambda v: interval(v, True),
               "hint": lambda v: isinstance(v, int), "xid": lambda v: isinstance(v, str),
               "snapshot": lambda v: isinstance(v, str) and re.fullmatch(r"\d+:\d+:[\d,]*", v),
               "ops": lambda v: isinstance(v, list) and v}
HEADER = {"alibi": lambda v: v == 1, "dialect": lambda v: v in ("postgresql", "mariadb", "sqlite"),
          "level": lambda v: v in ("read-committed", "repeatable-read", "serializable"),
          "order": lambda v: v in ("hint", "commit"), "reorder": lambda v: isinstance(v, int),
          "collation": lambda v: isinstance(v, str), "settings": lambda v: isinstance(v, dict),
          "name": lambda v: isinstance(v, str), "source": lambda v: isinstance(v, str), "clock": lambda v: isinstance(v, str)}
TABLE = {"table": lambda v: isinstance(v, str), "final": lambda v: isinstance(v, str), "columns": is_texts, "rows": is_rows}


def fields_wrong(item, known):
    for name, value in item.items():
        if name not in known:
            yield f"unknown field '{name}'"
        elif not known[name](value):
            yield f"field '{name}': {json.dumps(value)[:100]}"


def params_wrong(operation, dialect):
    bare = re.sub(r"'(?:[^']|'')*'", "''", operation["sql"])
    count = len(operation.get("params", []))
    if dialect == "postgresql":
        numbers = {int(number) for number in re.findall(r"\$(\d+)", bare)}
        return numbers != set(range(1, count + 1))
    return bare.count("?") != count if count else False


def operation_problems(operation, dialect):
    yield from fields_wrong(operation, OPERATION)
    if re.match(r"\s*(BEGIN|COMMIT|ROLLBACK\s*$|START)\b", operation["sql"], re.I):
        yield "BEGIN, COMMIT and ROLLBACK are not operations"
    if params_wrong(operation, dialect):
        yield f"parameters of: {operation['sql']}"
    if "error" in operation and ("rows" in operation or "affected" in operation):
        yield "an error with a result"
    if "start" in operation and operation["start"] > operation["end"]:
        yield "answered before it was sent"


def transaction_problems(line, dialect, sessions):
    yield from fields_wrong(line, TRANSACTION)
    for operation in line["ops"]:
        yield from operation_problems(operation, dialect)
    status, times = line.get("status", "committed"), [op["start"] for op in line["ops"] if "start" in op]
    if status == "aborted" and ("commit" in line or "hint" in line):
        yield "an aborted transaction that took effect"
    if not times:
        return
    if interval(line["start"]) != (line["ops"][0]["start"], line["ops"][0]["end"]):
        yield "`start` is not the interval of the first statement"
    if times != sorted(times):
        yield "statements out of order"
    if status != "aborted" and (interval(line["commit"], True)[0] < line["ops"][-1]["start"]
                                or (line["commit"][1] is None) != (status == "unknown")):
        yield f"`commit` {line['commit']}"
    last = sessions.get(line.get("session"), 0)
    if line["start"][0] < last:
        yield "a session's transactions overlap"
    sessions[line.get("session")] = line["ops"][-1]["end"] if status == "aborted" else interval(line["commit"], True)[1]


def problems_of(lines):
    """What is wrong with the form of a transcript."""
    names, finals, sessions, stage = set(), set(), {}, 0
    yield from fields_wrong(lines[0], HEADER)
    dialect = lines[0].get("dialect")
    for number, line in enumerate(lines[1:], 2):
        kind = next(iter(line))
        at = {"setup": 0, "table": 0, "txn": 1, "gap": 1, "final": 2}.get(kind)
        found = []
        if at is None or at < stage:
            found.append(f"a line of kind '{kind}' here")
        stage = at if at is not None else stage
        if kind == "txn":
            found += list(transaction_problems(line, dialect, sessions))
            if str(line["txn"]) in names:
                found.append("a name twice")
            names.add(str(line["txn"]))
        elif kind in ("table", "final"):
            found += list(fields_wrong(line, TABLE))
            if kind == "final" and line["final"] in finals:
                found.append("a final twice")
            finals.add(line.get("final"))
        for problem in found:
            yield f"line {number}: {problem}"


def ledger_problems(lines):
    """Where the rows that transactions left behind contradict what was written about them."""
    rows = next((line["rows"] for line in lines if line.get("final") == "alibi_ledger"), None)
    if rows is None:
        yield "no ledger"
        return
    ledger = {row[0] for row in rows}
    statuses = {str(line["txn"]): line.get("status", "committed") for line in lines if "txn" in line}
    for name, status in statuses.items():
        if (status == "committed") != (name in ledger) and status != "unknown":
            yield f"transaction {name} is written as {status}, and {'has' if name in ledger else 'has not'} a row in the ledger"
    for name in ledger - statuses.keys():
        yield f"transaction {name} left a row and no line"
