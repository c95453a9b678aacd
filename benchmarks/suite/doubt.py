"""doubt.py: what our heuristics gain over the paper's, logs full of doubt, and lies near the end."""

from suite import measure
from suite.cells import Cell
from suite.logs import IMPATIENT, Recipe, bank
from suite.part import MATCHING, Bound, Part
from suite.report import LEGEND, outcome, table

GAIN = {"ser": 1 / 0.95, "ssi": 1 / 0.95, "si": 1 / 5, "rcs": 1 / 20, "rc": 1 / 20}
MODELS = {"serializable": "serializable", "repeatable-read": "repeatable-read", "read-committed": "read-committed"}
LIES = {"sser": ("postgresql", "serializable", ()), "ssi": ("postgresql", "repeatable-read", ()),
        "si": ("postgresql", "repeatable-read", ("--fresh",)), "pg-rc": ("postgresql", "read-committed", ("--fresh",)),
        "innodb-rr": ("mariadb", "repeatable-read", ("--fresh",))}
SESSIONS = {"postgresql": IMPATIENT, "mariadb": ("--session", "SET innodb_snapshot_isolation = OFF, innodb_lock_wait_timeout = 1")}


class Gain(Part):
    name, title = "gain", "All heuristics against the paper's, on what the paper's manage"

    def recipe(self, level):
        return Recipe(f"bank-pg-{MATCHING[level]}-2", bank(), self.scale["transactions"], level=MATCHING[level], clients=2,
                      more=IMPATIENT)

    def cells(self):
        return [Cell(level, lambda level=level: self.compare(level), [self.recipe(level)]) for level in GAIN]

    def compare(self, level):
        log, budget = self.shelf.take(self.recipe(level)), self.scale["budget"]
        first = measure.audit(self.program, log, level, budget, ("--heuristics", "paper"))
        if not first.get("checked"):
            return {**first, "ratio": None}
        prefix = self.shelf.prefix(log, first["checked"])
        both = measure.turns(self.scale["runs"], {
            "all": lambda: measure.audit(self.program, prefix, level, 2 * budget),
            "paper": lambda: measure.audit(self.program, prefix, level, 2 * budget, ("--heuristics", "paper"))})
        wall, paper = measure.median(both["all"]), measure.median(both["paper"])
        return {"checked": first["checked"], "wall": wall, "paper": paper, "ratio": wall / paper,
                "verdicts": sorted({answer["verdict"] for side in both.values() for answer in side}),
                "commands": [both["all"][0]["command"], both["paper"][0]["command"]]}

    def tables(self, answers):
        rows = [[level, answer.get("checked"), answer.get("paper"), answer.get("wall"), answer["ratio"], GAIN[level]]
                for level, answer in answers.items()]
        return (f"Bank, two clients; the prefix that `paper` checks in {self.scale['budget']:g} s, then both in turns:\n\n" +
                table(["level", "transactions", "paper s", "all s", "ratio", "bound"], rows))

    def bounds(self, answers):
        return [Bound(f"time of `all` against `paper`, {level}", f"≤ {limit:.2f}",
                      f"{answers[level]['ratio']:.3f}" if answers[level]["ratio"] else outcome(answers[level]),
                      self.met(bool(answers[level]["ratio"]) and answers[level]["ratio"] <= limit)) for level, limit in GAIN.items()]


class Hot(Part):
    name, title = "hot", "Two hot rows, eight clients, half of the transactions unobserved"

    def recipe(self, database, model):
        return Recipe(f"hot-{database}-{model}", bank(accounts=2), self.scale["transactions"], database=database, level=model,
                      clients=8, more=SESSIONS[database])

    def cells(self):
        return [Cell(f"{database}/{model}/{level}", lambda recipe=self.recipe(database, model), level=level: self.check(recipe, level),
                     [self.recipe(database, model)])
                for database in SESSIONS for model in MODELS for level in (model, "rc")]

    def check(self, recipe, level):
        log = self.shelf.half_unobserved(self.shelf.take(recipe))
        return measure.audit(self.program, log, level, self.scale["budget"])

    def tables(self, answers):
        rows = [[database, model, *(verdict_of(answers[f"{database}/{model}/{level}"]) for level in (model, "rc"))]
                for database in SESSIONS for model in MODELS]
        return table(["database", "recorded at", "checked at its model", "checked at rc"], rows) + "\n" + LEGEND

    def bounds(self, answers):
        return [Bound(f"two hot rows, half unobserved: {name}", "no `unknown`", verdict_of(answer),
                      self.met(answer.get("verdict") in ("correct", "violation"))) for name, answer in answers.items()]


def verdict_of(answer):
    return f"{answer.get('verdict')}: {outcome(answer)}"


class Lie(Part):
    name, title = "lie", "A lie in the last 1 %: time to the verdict against the honest log"

    def cases(self):
        count = self.scale["transactions"]
        yield "ser, serial", Recipe("bank-lie-serial", bank(), count, database="sqlite"), "ser", ("--order", "given")
        for level, (database, asked, flags) in LIES.items():
            yield level, Recipe(f"bank-{database}-{asked}-8", bank(), count, database=database, level=asked, clients=8,
                                more=SESSIONS[database]), level, flags

    def cells(self):
        return [Cell(name, lambda recipe=recipe, level=level, flags=flags: self.compare(recipe, level, flags), [recipe])
                for name, recipe, level, flags in self.cases()]

    def compare(self, recipe, level, flags):
        honest, budget = self.shelf.take(recipe), self.scale["budget"]
        lie = self.shelf.with_lie(honest)
        first = measure.audit(self.program, lie, level, budget, flags)
        if first["verdict"] != "violation":
            return {**first, "ratio": None}
        both = measure.turns(self.scale["runs"], {"honest": lambda: measure.audit(self.program, honest, level, budget, flags),
                                                  "lie": lambda: measure.audit(self.program, lie, level, budget, flags)})
        if any(answer["verdict"] != "correct" for answer in both["honest"]):
            return {**both["honest"][0], "ratio": None}
        honest_wall, wall = measure.median(both["honest"]), measure.median(both["lie"])
        return {"verdict": first["verdict"], "checked": first["checked"], "honest": honest_wall, "wall": wall,
                "ratio": wall / honest_wall, "commands": [both["honest"][0]["command"], first["command"]]}

    def tables(self, answers):
        rows = [[name, verdict_of(answer), answer.get("honest"), answer["wall"], answer["ratio"], 2.0] for name, answer in answers.items()]
        return table(["level", "verdict", "honest s", "lie s", "ratio", "bound"], rows) + "\n" + LEGEND

    def bounds(self, answers):
        return [Bound(f"a lie in the last 1 %, {name}: time against the honest log", "≤ 2.0",
                      f"{answer['ratio']:.2f}" if answer["ratio"] else verdict_of(answer),
                      self.met(bool(answer["ratio"]) and answer["ratio"] <= 2)) for name, answer in answers.items()]


PARTS = [Gain, Hot, Lie]
