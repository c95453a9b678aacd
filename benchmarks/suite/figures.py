"""figures.py: Figures 9 and 10 of the paper: bank with 1,000 accounts, two clients; one parameter varies, or the
heuristics are added one by one.
"""

import re
import subprocess

from suite.logs import IMPATIENT, Recipe, bank
from suite.part import MATCHING, Part
from suite.plot import line_plot
from suite.report import LEGEND, outcome, rate, table

LEVELS = ("ser", "si", "rc")
TITLES = {"accessed": "rows accessed, ‰", "blind": "blind writes, %", "reads": "read-only transactions, %"}
DEFAULT = {"accessed": 1000, "blind": 0, "reads": 20}


def bank_recipe(level, transactions, delay=0, **settings):
    words = {key: value for key, value in settings.items() if value != DEFAULT[key]}
    slug = "".join(f"-{key}{value}" for key, value in words.items()) + (f"-delay{delay}" if delay else "")
    more = (*IMPATIENT, "--delay", str(delay)) if delay else IMPATIENT
    return Recipe(f"bank-pg-{MATCHING[level]}-2{slug}", bank(**words), transactions, level=MATCHING[level], clients=2, more=more)


class Figure9(Part):
    name, title = "figure9", "What makes a bank log hard (the paper's Figure 9)"

    def cells(self):
        cells = []
        for parameter, values in self.scale["points"].items():
            for value in values:
                for level in LEVELS:
                    recipe = bank_recipe(level, self.scale["transactions"], **{parameter: value})
                    cells += [self.audit_cell(f"{parameter}={value}/{level}/{name}", recipe, level, name)
                              for name in self.scale["heuristics"]]
        return cells

    def tables(self, answers):
        text = f"Transactions checked in {self.scale['budget']:g} s, and in brackets transactions per second.\n"
        for parameter, values in self.scale["points"].items():
            head = [TITLES[parameter], *(f"{level}, {name}" for level in LEVELS for name in self.scale["heuristics"])]
            rows = [[value, *(with_rate(answers[f"{parameter}={value}/{level}/{name}"])
                              for level in LEVELS for name in self.scale["heuristics"])] for value in values]
            text += "\n" + table(head, rows)
        return text + "\n" + LEGEND

    def plots(self, answers):
        plots = {}
        for parameter, values in self.scale["points"].items():
            lines = {f"{level}, {name}": points(values, lambda value: answers[f"{parameter}={value}/{level}/{name}"])
                     for level in LEVELS for name in self.scale["heuristics"]}
            plots[f"figure9-{parameter}"] = line_plot(f"Figure 9: {TITLES[parameter]}", TITLES[parameter],
                                                      "transactions checked per second", lines, y_log=True)
        return plots


def points(values, answer_of):
    return [(value, rate(answer_of(value))) for value in values if rate(answer_of(value))]


def with_rate(answer):
    found = rate(answer)
    return f"{outcome(answer)} ({found:,.0f}/s)" if found else outcome(answer)


def heuristic_names(program):
    """The heuristics, the paper's first, as the program's help lists them: `; name: what it does`."""
    done = subprocess.run([str(program), "check", "--help"], capture_output=True, text=True)
    found = re.search(r"--heuristics LIST(.*?)\n  --", done.stdout, re.S)
    return re.findall(r"; ([a-z][a-z0-9-]*):", " ".join(found.group(1).split())) if found else []


def stages(program):
    """(title, list): nothing, then one heuristic more each time."""
    added, made = [], [("none", "none")]
    for name in heuristic_names(program):
        added.append(name)
        made.append((f"+ {name}", ",".join(added)))
    return [*made, ("all", "all")]


class Figure10(Part):
    name, title = "figure10", "Heuristics added one by one (the paper's Figure 10), and the effect of a delay"

    def cells(self):
        cells = []
        for level in LEVELS:
            for accessed in self.scale["accessed"]:
                recipe = bank_recipe(level, self.scale["transactions"], accessed=accessed)
                cells += [self.audit_cell(f"{accessed}/{level}/{title}", recipe, level, chosen)
                          for title, chosen in stages(self.program)]
            for delay in self.scale["delays"]:
                recipe = bank_recipe(level, min(self.scale["transactions"], 5000), delay, accessed=10)
                cells += [self.audit_cell(f"delay {delay}/{level}/{name}", recipe, level, name) for name in ("paper", "all")]
        return cells

    def tables(self, answers):
        text = f"Transactions checked in {self.scale['budget']:g} s, and in brackets transactions per second.\n"
        titles = [title for title, _ in stages(self.program)]
        for level in LEVELS:
            rows = [[title, *(with_rate(answers[f"{accessed}/{level}/{title}"]) for accessed in self.scale["accessed"])]
                    for title in titles]
            text += "\n" + table([f"{level}: heuristics", *(f"{accessed} ‰ of rows" for accessed in self.scale["accessed"])], rows)
        rows = [[level, name, *(with_rate(answers[f"delay {delay}/{level}/{name}"]) for delay in self.scale["delays"])]
                for level in LEVELS for name in ("paper", "all")]
        text += "\nA wait between statements (`--delay`), 1 % of rows accessed:\n\n"
        return text + table(["level", "heuristics", *(f"{delay} µs" for delay in self.scale["delays"])], rows) + "\n" + LEGEND

    def plots(self, answers):
        plots = {}
        for level in LEVELS:
            lines = {title: points(self.scale["accessed"], lambda accessed: answers[f"{accessed}/{level}/{title}"])
                     for title, _ in stages(self.program)}
            plots[f"figure10-{level}"] = line_plot(f"Figure 10: heuristics at {level}", "rows accessed, ‰",
                                                   "transactions checked per second", lines, x_log=True, y_log=True)
        return plots


PARTS = [Figure9, Figure10]
