"""table1.py: Table 1 of the paper: how many transactions are checked in a fixed time, each log recorded on PostgreSQL at
the level that it is checked at.
"""

from suite.logs import Recipe, WORKLOADS
from suite.part import MATCHING, Bound, Part
from suite.report import LEGEND, outcome, table

LEVELS = ("ser", "si", "rc", "serializable", "repeatable-read", "read-committed")
NAMES = ("twitter", "rubis", "tpcc-paper", "tpcc")
PAPER = {("twitter", "ser"): 2860, ("twitter", "si"): 2810, ("twitter", "rc"): 496, ("rubis", "ser"): 451, ("rubis", "si"): 397,
         ("rubis", "rc"): 311, ("tpcc-paper", "ser"): 445, ("tpcc-paper", "si"): 394, ("tpcc-paper", "rc"): 121}
ENOUGH = 100_000


class Table1(Part):
    name, title = "table1", "Transactions checked in a fixed time (the paper's Table 1)"

    def recipe(self, workload, clients, level):
        asked = MATCHING[level]
        count = self.scale["normal"] if workload == "tpcc" else self.scale["two" if clients == 2 else "eight"]
        return Recipe(f"{workload}-pg-{asked}-{clients}", WORKLOADS[workload], count, level=asked, clients=clients)

    def cells(self):
        cells = [self.audit_cell(f"{workload}/2/{level}/paper", self.recipe(workload, 2, level), level, "paper")
                 for workload, level in PAPER]
        for workload in NAMES:
            for clients in (2, 8):
                cells += [self.audit_cell(f"{workload}/{clients}/{level}/all", self.recipe(workload, clients, level), level)
                          for level in LEVELS]
        return cells

    def tables(self, answers):
        budget = self.scale["budget"]
        rows = [[workload, *(f"{outcome(answers[f'{workload}/2/{level}/paper'])} ({PAPER[workload, level]:,})"
                             for level in LEVELS[:3])] for workload in NAMES[:3]]
        text = (f"The paper's heuristics alone (`--heuristics paper`), two clients, {budget:g} s each; in brackets what the paper's "
                "tool checked in 300 s:\n\n" + table(["workload", *LEVELS[:3]], rows))
        rows = [[workload, clients, *(outcome(answers[f"{workload}/{clients}/{level}/all"]) for level in LEVELS)]
                for workload in NAMES for clients in (2, 8)]
        return text + f"\nAll heuristics, {budget:g} s each:\n\n" + table(["workload", "clients", *LEVELS], rows) + "\n" + LEGEND

    def bounds(self, answers):
        bounds = []
        for (workload, level), least in PAPER.items():
            answer = answers[f"{workload}/2/{level}/paper"]
            bounds.append(Bound(f"`paper`, {workload}, two clients, {level}: checked in 5 minutes", f"≥ {least:,}", outcome(answer),
                                self.met(answer.get("checked", 0) >= least)))
        for workload in NAMES:
            for level in LEVELS:
                answer = answers[f"{workload}/8/{level}/all"]
                done = answer.get("verdict") == "correct" or answer.get("checked", 0) >= ENOUGH
                bounds.append(Bound(f"`all`, {workload}, eight clients, {level}: checked in 5 minutes", "100,000 or all",
                                    outcome(answer), self.met(done)))
        return bounds


PARTS = [Table1]
