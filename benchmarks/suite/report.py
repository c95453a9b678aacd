"""report.py: Markdown tables, and what has changed since the results before."""


def number(value):
    if isinstance(value, bool) or value is None:
        return "-" if value is None else str(value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return str(value)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(number(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def outcome(answer):
    """Transactions checked, marked where the audit did not come to the end."""
    if not answer:
        return "-"
    checked, verdict = answer.get("checked", 0), answer.get("verdict")
    if verdict == "correct":
        return f"{checked:,}"
    if verdict == "unknown":
        return f"{checked:,} +" if "budget" in answer.get("reason", "") else f"{checked:,} ?"
    return f"{checked:,} {verdict}" if verdict == "violation" else str(verdict)


LEGEND = ("A number alone: the whole log was checked. `+`: time ran out there. `?`: the audit gave up there (its reason is "
          "in the JSON). `timeout`, `memory`: a limit ended the program.\n")


def rate(answer):
    """Transactions checked per second, whatever ended the audit."""
    seconds = answer.get("seconds") or answer.get("wall")
    return answer["checked"] / seconds if seconds and answer.get("checked") else None


def figure(answer):
    """The one figure of a cell that a comparison looks at: (value, whether more is better)."""
    if isinstance(answer.get("ratio"), (int, float)):
        return answer["ratio"], False
    found = rate(answer)
    return (found, True) if found else (None, True)


def compare(before, now, least=0.1):
    """A table of the cells that differ from the results before by more than this share, and of other verdicts."""
    rows = []
    for name, answer in now.items():
        old = before.get(name)
        if not old:
            continue
        (was, _), (value, is_more_better) = figure(old), figure(answer)
        verdicts = old.get("verdict"), answer.get("verdict")
        factor = value / was if was and value else None
        if verdicts[0] == verdicts[1] and (factor is None or abs(factor - 1) <= least):
            continue
        better = None if factor is None else (factor > 1) == is_more_better
        rows.append([f"`{name}`", was, value, factor, {True: "better", False: "worse", None: ""}[better],
                     "" if verdicts[0] == verdicts[1] else f"{verdicts[0]} → {verdicts[1]}"])
    if not rows:
        return "No cell differs from the results before by more than 10 %.\n"
    return ("Transactions per second, or the ratio, of cells that differ from the results before by more than 10 %:\n\n" +
            table(["cell", "before", "now", "factor", "", "verdict"], rows))
