"""logs.py: the logs that are measured.  Each is made once with `alibi run` and kept, with its command and the seconds
that making it took beside it; a recipe that has changed makes it anew.  Derived logs (a prefix, one with a lie, one
with less observed) are made from a kept one.
"""

import json
import os
import subprocess
from dataclasses import dataclass

TPCC_PAPER = ("tpcc", "--set", "warehouses=1,districts=2,customers=3,items=1,orders=3")
WORKLOADS = {"bank": ("bank",), "twitter": ("twitter",), "rubis": ("rubis",), "tpcc": ("tpcc",), "tpcc-paper": TPCC_PAPER,
             "smallbank": ("smallbank",)}
URLS = {"sqlite": "sqlite:", "postgresql": os.environ.get("ALIBI_POSTGRESQL_URL"),
        "mariadb": os.environ.get("ALIBI_MARIADB_URL")}

# Where clients deadlock all the time: PostgreSQL waits a second before it looks, and a log would take hours.
IMPATIENT = ("--session", "SET deadlock_timeout = '10ms'")


@dataclass(frozen=True)
class Recipe:
    """How a log is recorded: the words of `alibi run`."""
    name: str
    workload: tuple
    transactions: int
    database: str = "postgresql"
    level: str = "serializable"
    clients: int = 1
    seconds: int = 0
    more: tuple = ()

    def words(self):
        words = ["run", *self.workload, "--transactions", str(self.transactions), "--level", self.level, "--no-final"]
        if self.clients > 1:
            words += ["--clients", str(self.clients)]
        if self.seconds:
            words += ["--seconds", str(self.seconds)]
        return [*words, *self.more]

    def slug(self):
        return f"{self.name}-{self.transactions}"


class Shelf:
    """Where logs are kept."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, recipe):
        return self.folder / f"{recipe.slug()}.jsonl"

    def note(self, recipe):
        """What is known of a kept log, or None."""
        file = self.path(recipe).with_suffix(".json")
        if not file.exists() or not self.path(recipe).exists():
            return None
        note = json.loads(file.read_text())
        return note if note["words"] == recipe.words() else None

    def is_missing(self, recipe):
        return self.note(recipe) is None

    def take(self, recipe):
        """The log's path; it is recorded if it is not there."""
        log = self.path(recipe)
        if self.note(recipe):
            return log
        for stale in self.folder.glob(f"{log.stem}.*"):
            stale.unlink()
        part = log.with_suffix(".part")
        url = URLS[recipe.database]
        done = subprocess.run([str(self.program), *recipe.words(), "--db", url, "--out", str(part)], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"alibi {' '.join(recipe.words())}: {done.stderr.strip()}")
        row = next(line for line in done.stderr.splitlines() if line.startswith("all ")).split()
        committed, rate = int(row[1]), float(row[7])
        note = {"words": recipe.words(), "database": recipe.database, "committed": committed,
                "seconds": committed / rate if rate else 0}
        log.with_suffix(".json").write_text(json.dumps(note) + "\n")
        part.rename(log)
        return log

    def derived(self, log, suffix, write):
        """A log made from another by write(source, target)."""
        made = log.with_name(f"{log.stem}.{suffix}.jsonl")
        if not made.exists():
            part = made.with_suffix(".part")
            with open(log, encoding="utf-8") as source, open(part, "w", encoding="utf-8") as target:
                write(source, target)
            part.rename(made)
        return made

    def prefix(self, log, committed):
        """The log up to this many committed transactions."""

        def write(source, target):
            left = committed
            for line in source:
                if line.startswith('{"txn"') and '"status":"' not in line[:200]:
                    if left == 0:
                        return
                    left -= 1
                target.write(line)

        return self.derived(log, f"first-{committed}", write)

    def half_unobserved(self, log):
        """The same clients, of whose transactions every other one was not looked at."""

        def write(source, target):
            for number, line in enumerate(source):
                if line.startswith('{"txn"') and number % 2:
                    transaction = json.loads(line)
                    for operation in transaction["ops"]:
                        operation.pop("rows", None)
                        operation.pop("affected", None)
                    line = json.dumps(transaction, separators=(",", ":")) + "\n"
                target.write(line)

        return self.derived(log, "half", write)

    def with_lie(self, log):
        """One wrong value in the last 1 %: the last integer or decimal that a transaction read there is one that never was."""

        def write(source, target):
            lines = source.readlines()
            for number in range(len(lines) - 1, len(lines) - 1 - len(lines) // 100, -1):
                lied = lie(lines[number])
                if lied:
                    lines[number] = lied
                    target.writelines(lines)
                    return
            raise RuntimeError(f"{log.name}: nothing was read in the last 1 %")

        return self.derived(log, "lie", write)


def lie(line):
    """The line with one read value replaced by one that nobody wrote, or None."""
    if not line.startswith('{"txn"'):
        return None
    transaction = json.loads(line)
    if transaction.get("status", "committed") != "committed":
        return None
    for operation in reversed(transaction["ops"]):
        if "balance" not in operation["sql"] or not operation.get("rows"):
            continue
        operation["rows"][0][-1] = "987654321.12"
        return json.dumps(transaction, separators=(",", ":")) + "\n"
    return None


def bank(**settings):
    """The bank workload with parameters, as a recipe's words."""
    words = ",".join(f"{key}={value}" for key, value in settings.items())
    return ("bank", "--set", words) if words else ("bank",)
