"""extract.py: a transcript's statements as a script for the sqlite3 shell.

State 0 becomes CREATE and INSERT; each committed transaction stands between BEGIN and COMMIT.
Aborted ones are left out, as an audit leaves them out.  Statements must have their literals
in the text: parameters are refused.  Row locks, which SQLite does not know, are left out; the
results go nowhere and the last line prints the shell's peak memory.
"""

import json
import re

LOCK = re.compile(r"\s+FOR\s+(?:UPDATE|SHARE)\s*$", re.IGNORECASE)
QUIET = ".output /dev/null\n"
PEAK = ".shell grep VmHWM /proc/$PPID/status\n"


def literal(value):
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (int, float)):
        return repr(value)
    return "'" + value.replace("'", "''") + "'"


def insert_of(line):
    columns = f" ({', '.join(line['columns'])})" if "columns" in line else ""
    rows = ",".join("(" + ",".join(map(literal, row)) + ")" for row in line["rows"])
    return f"INSERT INTO {line['table']}{columns} VALUES {rows};\n"


def transaction_of(line):
    if line.get("status", "committed") != "committed":
        return ""
    for operation in line["ops"]:
        if operation.get("params"):
            raise ValueError(f"transaction {line['txn']} has parameters: record it with --literals")
    statements = "".join(f"{LOCK.sub('', operation['sql'])};\n" for operation in line["ops"])
    return f"BEGIN;\n{statements}COMMIT;\n"


def transcript_to_sql(log, script):
    part = script.with_suffix(".part")
    with open(log, encoding="utf-8") as source, open(part, "w", encoding="utf-8") as target:
        target.write(QUIET)
        for text in source:
            line = json.loads(text)
            if "setup" in line:
                target.write(line["setup"] + ";\n")
            elif "table" in line:
                target.write(insert_of(line))
            elif "txn" in line:
                target.write(transaction_of(line))
        target.write(PEAK)
    part.rename(script)
