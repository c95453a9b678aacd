"""industrial.py: section 8.5 of the paper: long logs of two clients at strict SI, H3 off as the paper ran it, and with
everything.
"""

from suite.logs import Recipe, WORKLOADS, bank
from suite.part import Part
from suite.report import LEGEND, outcome, rate, table

PAPER = {"bank": (1_096_548, 1.76 * 3600), "tpcc-paper": (60_022, 89.2 * 3600)}
CHOICES = {"paper,-h3": "the paper's without H3", "all": "all"}


class Industrial(Part):
    name, title = "industrial", "Long logs at strict SI (the paper's section 8.5)"

    def recipe(self, workload):
        words = bank(reads=10) if workload == "bank" else WORKLOADS[workload]
        count = self.scale["bank" if workload == "bank" else "tpcc"]
        return Recipe(f"{workload}-industrial", words, count, level="repeatable-read", clients=2)

    def cells(self):
        return [self.audit_cell(f"{workload}/{chosen}", self.recipe(workload), "ssi", chosen)
                for workload in PAPER for chosen in CHOICES]

    def tables(self, answers):
        rows = []
        for workload, (count, seconds) in PAPER.items():
            rows.append([workload, "the paper's tool", f"{count:,}", seconds, count / seconds, None])
            for chosen, title in CHOICES.items():
                answer = answers[f"{workload}/{chosen}"]
                rows.append([workload, title, outcome(answer), answer.get("seconds", answer.get("wall")), rate(answer),
                             answer.get("peak_rss_kb")])
        return table(["log", "heuristics", "checked", "seconds", "per second", "peak KB"], rows) + "\n" + LEGEND


PARTS = [Industrial]
