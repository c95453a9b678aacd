"""execution.py: an audit against execution: the sqlite3 shell running the same statements one after the other in memory,
and the time that PostgreSQL took to make the log.  Runs take turns; a ratio is one of medians.
"""

import extract
from suite import measure
from suite.cells import Cell
from suite.logs import Recipe, WORKLOADS
from suite.part import MATCHING, Bound, Part
from suite.report import outcome, table

NAMES = ("bank", "twitter", "rubis", "tpcc")
BANK = {"ser": 1.0, "ssi": 1.2, "si": 1.5, "pg-rc": 2.0, "rc": 2.0}
OTHERS = {"ser": 1.5, "ssi": 2.0, "si": 2.0, "pg-rc": 3.0, "rc": 4.0}
MODELS = ("serializable", "repeatable-read", "read-committed")
RECORDING = 0.1


def bound_of(workload, level):
    return (BANK if workload == "bank" else OTHERS)[level]


def against_shell(part, log, level, budget, flags=()):
    """Both sides in turns on one log."""
    script = log.with_suffix(".sql")
    if not script.exists():
        extract.transcript_to_sql(log, script)
    first = measure.audit(part.program, log, level, budget, flags)
    if first["verdict"] != "correct":
        shell = measure.shell(script)
        return {**first, "ratio": None, "shell": shell["wall"], "shell_command": shell["command"]}
    both = measure.turns(part.scale["runs"], {"audit": lambda: measure.audit(part.program, log, level, budget, flags),
                                              "shell": lambda: measure.shell(script)})
    wall, shell = measure.median(both["audit"]), measure.median(both["shell"])
    return {**first, "wall": wall, "shell": shell, "ratio": wall / shell, "shell_rss_kb": both["shell"][0].get("peak_rss_kb"),
            "cpu": measure.median(both["audit"], "cpu"), "shell_cpu": measure.median(both["shell"], "cpu"),
            "walls": [answer["wall"] for answer in both["audit"]], "shell_walls": [answer["wall"] for answer in both["shell"]],
            "shell_command": both["shell"][0]["command"]}


class Execution(Part):
    name, title = "execution", "An audit against execution"

    def recipe(self, workload, level):
        asked = MATCHING[level]
        count = self.scale["transactions"] // (10 if workload == "tpcc" and self.is_quick else 1)
        return Recipe(f"{workload}-pg-{asked}-8-literals", WORKLOADS[workload], count, level=asked, clients=8, more=("--literals",))

    def cells(self):
        cells = [Cell(f"{workload}/{level}", lambda workload=workload, level=level: against_shell(
            self, self.shelf.take(self.recipe(workload, level)), level, self.scale["budget"]), [self.recipe(workload, level)])
            for workload in NAMES for level in BANK]
        return cells + [Cell(f"{workload}/{model}", lambda workload=workload, model=model: self.against_recording(workload, model),
                             [self.recipe(workload, model)]) for workload in NAMES for model in MODELS]

    def against_recording(self, workload, model):
        recipe = self.recipe(workload, model)
        log = self.shelf.take(recipe)
        answer = measure.audit(self.program, log, model, self.scale["budget"])
        seconds = self.shelf.note(recipe)["seconds"]
        return {**answer, "recording": seconds, "ratio": answer["wall"] / seconds if answer["verdict"] == "correct" else None}

    def tables(self, answers):
        rows = []
        for workload in NAMES:
            for level in BANK:
                answer = answers[f"{workload}/{level}"]
                rows.append([workload, level, outcome(answer), answer["wall"], answer.get("shell"), answer["ratio"], bound_of(workload, level)])
        text = ("Eight clients on PostgreSQL; seconds of the audit and of the `sqlite3` shell (medians of runs in turns):\n\n" +
                table(["workload", "level", "checked", "audit s", "SQLite s", "ratio", "bound"], rows))
        rows = [[workload, model, outcome(answer), answer["wall"], answer.get("recording"), answer["ratio"], RECORDING]
                for workload in NAMES for model in MODELS for answer in [answers[f"{workload}/{model}"]]]
        text += "\nAgainst the time that PostgreSQL took to make the log:\n\n" + table(
            ["workload", "model", "checked", "audit s", "recording s", "ratio", "bound"], rows)
        rows = [[workload, level, answer.get("peak_rss_kb", 0) / 1024, answer["shell_rss_kb"] / 1024]
                for workload in NAMES for level in BANK for answer in [answers[f"{workload}/{level}"]] if answer.get("shell_rss_kb")]
        return text + "\nPeak memory, MB:\n\n" + table(["workload", "level", "audit", "SQLite"], rows)

    def bounds(self, answers):
        bounds = []
        for workload in NAMES:
            for level in BANK:
                answer, limit = answers[f"{workload}/{level}"], bound_of(workload, level)
                ratio = answer["ratio"]
                bounds.append(Bound(f"audit against SQLite, {workload}, {level}", f"≤ {limit}",
                                    f"{ratio:.2f}" if ratio else outcome(answer), self.met(bool(ratio) and ratio <= limit)))
        for workload in NAMES:
            for model in MODELS:
                answer = answers[f"{workload}/{model}"]
                ratio = answer["ratio"]
                bounds.append(Bound(f"audit against recording with eight clients, {workload}, {model}", f"≤ {RECORDING}",
                                    f"{ratio:.3f}" if ratio else outcome(answer), self.met(bool(ratio) and ratio <= RECORDING)))
        return bounds + [self.memory_bound(answers, workload, level) for workload in NAMES[1:] for level in BANK]

    def memory_bound(self, answers, workload, level):
        answer = answers[f"{workload}/{level}"]
        peak, shell = answer.get("peak_rss_kb"), answer.get("shell_rss_kb")
        limit = 3 * shell + 64 * 1024 if shell else None
        return Bound(f"peak memory against SQLite's, {workload}, {level}", "3 times + 64 MB",
                     f"{peak / 1024:.0f} MB of {limit / 1024:.0f} MB" if limit and peak else outcome(answer),
                     self.met(bool(limit and peak) and peak <= limit))


class Serial(Part):
    """A serial log, recorded on an embedded SQLite, at ser in the given order."""
    words, limit = (), 0

    def recipe(self):
        return Recipe(f"{self.name}-serial", self.words, self.scale[self.name], database="sqlite", more=("--literals",))

    def cells(self):
        return [Cell("ser", lambda: against_shell(self, self.shelf.take(self.recipe()), "ser", None, ("--order", "given")),
                     [self.recipe()])]

    def tables(self, answers):
        answer = answers["ser"]
        rows = [["audit", answer["wall"], answer.get("cpu"), f"`{answer['command']}`"],
                ["SQLite", answer["shell"], answer.get("shell_cpu"), f"`{answer['shell_command']}`"]]
        return table(["", "wall s", "cpu s", "command"], rows) + f"\nRatio {answer['ratio']:.2f}, bound {self.limit}.\n"

    def bounds(self, answers):
        ratio = answers["ser"]["ratio"]
        return [Bound(f"audit against SQLite, {self.name}, serial log, ser", f"≤ {self.limit}", f"{ratio:.2f}" if ratio else "-",
                      self.met(bool(ratio) and ratio <= self.limit))]


class BankSerial(Serial):
    name, title = "bank", "A serial bank log against the sqlite3 shell"
    words, limit = ("bank", "--mix", "transfer=80,balance=20", "--set", "blind=100"), 1.0


class TpccSerial(Serial):
    name, title = "tpcc", "A serial TPC-C log against the sqlite3 shell"
    words, limit = ("tpcc",), 1.5


PARTS = [Execution, BankSerial, TpccSerial]
