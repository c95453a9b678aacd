"""scale.py: how much is measured: a full run takes hours, a quick one gives every table in ten minutes."""

FULL = {
    "table1": {"budget": 300, "two": 100_000, "eight": 100_000, "normal": 100_000},
    "figure9": {"budget": 60, "transactions": 50_000, "points": {
        "accessed": (2, 10, 50, 100, 250, 500, 750, 1000), "blind": (0, 20, 40, 60, 80, 100),
        "reads": (0, 20, 40, 60, 80, 100)}, "heuristics": ("paper", "all")},
    "figure10": {"budget": 60, "transactions": 50_000, "accessed": (2, 10, 100, 500, 1000), "delays": (0, 200, 1000, 5000)},
    "industrial": {"budget": 3600, "bank": 1_000_000, "tpcc": 60_000},
    "growth": {"budget": 600, "lengths": (1_000, 10_000, 100_000, 1_000_000),
               "callgrind": 3600, "counted": 1_000_000},
    "execution": {"budget": 300, "runs": 5, "transactions": 100_000},
    "serial": {"runs": 5, "bank": 100_000, "tpcc": 10_000},
    "gain": {"budget": 60, "runs": 5, "transactions": 50_000},
    "hot": {"budget": 600, "transactions": 100_000},
    "lie": {"budget": 600, "runs": 5, "transactions": 100_000},
}

QUICK = {
    "table1": {"budget": 1, "two": 1_000, "eight": 2_000, "normal": 200},
    "figure9": {"budget": 0.7, "transactions": 500, "points": {
        "accessed": (2, 100, 1000), "blind": (0, 100), "reads": (0, 100)}, "heuristics": ("all",)},
    "figure10": {"budget": 0.5, "transactions": 500, "accessed": (2, 1000), "delays": (0, 1000)},
    "industrial": {"budget": 5, "bank": 20_000, "tpcc": 500},
    "growth": {"budget": 2, "lengths": (1_000, 10_000, 100_000), "callgrind": 20, "counted": 10_000},
    "execution": {"budget": 1, "runs": 1, "transactions": 2_000},
    "serial": {"runs": 3, "bank": 20_000, "tpcc": 1_000},
    "gain": {"budget": 1, "runs": 1, "transactions": 2_000},
    "hot": {"budget": 1, "transactions": 500},
    "lie": {"budget": 2, "runs": 1, "transactions": 2_000},
}
