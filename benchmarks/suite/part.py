"""part.py: what every part of the suite has, and the cells that most of them are made of."""

from suite import measure
from suite.cells import Cell

MATCHING = {"ser": "serializable", "sser": "serializable", "serializable": "serializable", "ssi": "repeatable-read",
            "si": "repeatable-read", "repeatable-read": "repeatable-read", "rc": "read-committed", "rcs": "read-committed",
            "pg-rc": "read-committed", "read-committed": "read-committed"}
LEVELS = ("sser", "ser", "ssi", "si", "innodb-rr", "pg-rc", "innodb-rc", "rcs", "rc")


class Bound:
    """One line of the table of bounds.  Met is None where it was not measured at the scale that the bound asks for."""

    def __init__(self, measure, bound, figure, is_met):
        self.measure, self.bound, self.figure, self.is_met = measure, bound, figure, is_met


class Part:
    """A name, a title, cells; and of their answers: tables (Markdown), plots {name: SVG}, bounds."""
    name = title = None

    def __init__(self, program, shelf, scale, is_quick):
        self.program, self.shelf, self.scale, self.is_quick = program, shelf, scale, is_quick

    def cells(self):
        raise NotImplementedError

    def tables(self, answers):
        raise NotImplementedError

    def plots(self, answers):
        return {}

    def bounds(self, answers):
        return []

    def met(self, is_met):
        """A quick run shows the figure, but does not decide a bound."""
        return None if self.is_quick else is_met

    def audit_cell(self, name, recipe, level, heuristics=None, flags=()):
        """One audit within the part's budget."""
        if heuristics and heuristics != "all":
            flags = (*flags, "--heuristics", heuristics)

        def run():
            log = self.shelf.take(recipe)
            return measure.audit(self.program, log, level, self.scale["budget"], flags)

        return Cell(name, run, [recipe])
