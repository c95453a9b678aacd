"""growth.py: does the cost of a transaction grow with the log?  A timed serial bank log, every level: time and memory at
each length, and callgrind's instructions for late transactions against early ones.
"""

from suite import measure
from suite.cells import Cell
from suite.logs import Recipe
from suite.part import LEVELS, Bound, Part
from suite.plot import line_plot
from suite.report import LEGEND, outcome, table

BANK = ("bank", "--mix", "transfer=80,balance=20", "--set", "blind=100")
INSTRUCTIONS, MEMORY_KB = 1.1, 64 * 1024


class Growth(Part):
    name, title = "growth", "Growth: cost of a transaction against the length of the log"

    def recipe(self):
        return Recipe("bank-timed", BANK, self.scale["lengths"][-1], database="sqlite", more=("--literals", "--times"))

    def log(self, length):
        log = self.shelf.take(self.recipe())
        return log if length == self.scale["lengths"][-1] else self.shelf.prefix(log, length)

    def cells(self):
        recipes = [self.recipe()]
        cells = [Cell(f"{level}/{length}", lambda level=level, length=length: measure.audit(
            self.program, self.log(length), level, self.scale["budget"]), recipes)
            for level in LEVELS for length in self.scale["lengths"]]
        return cells + [Cell(f"{level}/instructions", lambda level=level: self.instructions(level), recipes) for level in LEVELS]

    def instructions(self, level):
        """Instructions of each of the transactions in a step early and late, as differences of two prefixes."""
        total = self.scale["counted"]
        step, early, late = total // 100, total // 10, total * 9 // 10
        counts = {}
        for length in (early, early + step, late, late + step):
            counts[length] = measure.instructions(self.program, self.log(length), level, self.scale["callgrind"])
            if counts[length] is None:
                return {"counts": counts, "verdict": "timeout"}
        first, last = (counts[early + step] - counts[early]) / step, (counts[late + step] - counts[late]) / step
        return {"counts": counts, "early": first, "late": last, "ratio": last / first}

    def tables(self, answers):
        lengths = self.scale["lengths"]
        rows = [[level, *(self.each(answers[f"{level}/{length}"], length) for length in lengths)] for level in LEVELS]
        text = "µs per transaction, and peak memory in MB:\n\n" + table(["level", *(f"{length:,}" for length in lengths)], rows)
        rows = [[level, answers[f"{level}/instructions"].get("early"), answers[f"{level}/instructions"].get("late"),
                 answers[f"{level}/instructions"].get("ratio", answers[f"{level}/instructions"].get("verdict"))] for level in LEVELS]
        text += (f"\nInstructions per transaction (callgrind), behind a tenth and behind nine tenths of {self.scale['counted']:,}:\n\n" +
                 table(["level", "early", "late", "ratio"], rows))
        return text + "\n" + LEGEND

    @staticmethod
    def each(answer, length):
        if answer.get("verdict") != "correct":
            return outcome(answer)
        return f"{answer['seconds'] * 1e6 / length:.2f}, {answer['peak_rss_kb'] / 1024:.0f}"

    def plots(self, answers):
        found = {(level, length): answers[f"{level}/{length}"] for level in LEVELS for length in self.scale["lengths"]
                 if answers[f"{level}/{length}"].get("verdict") == "correct"}
        times = {level: [(length, found[of, length]["seconds"] * 1e6 / length) for of, length in found if of == level] for level in LEVELS}
        peaks = {level: [(length, found[of, length]["peak_rss_kb"] / 1024) for of, length in found if of == level] for level in LEVELS}
        return {"growth-time": line_plot("Time per transaction", "transactions", "µs per transaction", times, True, True),
                "growth-memory": line_plot("Peak memory", "transactions", "MB", peaks, True, True)}

    def bounds(self, answers):
        bounds = []
        for level in LEVELS:
            answer = answers[f"{level}/instructions"]
            ratio = answer.get("ratio")
            bounds.append(Bound(f"instructions per transaction late against early, bank, {level}", f"≤ {INSTRUCTIONS}",
                                f"{ratio:.3f}" if ratio else answer.get("verdict"), self.met(bool(ratio) and ratio <= INSTRUCTIONS)))
        early, late = self.scale["lengths"][-2:]
        for level in LEVELS:
            first, last = answers[f"{level}/{early}"], answers[f"{level}/{late}"]
            both = all(answer.get("verdict") == "correct" for answer in (first, last))
            more = last["peak_rss_kb"] - first["peak_rss_kb"] if both else None
            bounds.append(Bound(f"peak memory, bank, {level}: {late:,} against {early:,} transactions", "+ 64 MB",
                                f"{more / 1024:+.1f} MB" if both else outcome(last), self.met(both and more <= MEMORY_KB)))
        return bounds


PARTS = [Growth]
