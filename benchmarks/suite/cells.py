"""cells.py: a part of the suite is a list of cells; a cell is a name and what measures it.

C1  A cell's answer is written to the part's journal as soon as it is there; a run that was killed goes on behind it.
C2  The journal belongs to one program and one scale; with another, it is begun anew.
C3  When all cells are there, the results are written, compared with those before, and the journal is removed.
"""

import hashlib
import json
import os
import platform
import sys
import time
from dataclasses import dataclass, field


@dataclass
class Cell:
    name: str
    measure: object  # called without arguments; returns a dict
    recipes: list = field(default_factory=list)  # the logs it needs


class Journal:
    def __init__(self, path, key):
        self.path, self.key = path, key
        self.answers = {}
        if path.exists():
            self.read()

    def read(self):
        for line in self.path.read_text().splitlines():
            try:
                entry = json.loads(line)
            except ValueError:
                continue  # torn by a kill
            if entry["key"] == self.key:
                self.answers[entry["cell"]] = entry["answer"]

    def add(self, name, answer):
        self.answers[name] = answer
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps({"key": self.key, "cell": name, "answer": answer}) + "\n")
            file.flush()
            os.fsync(file.fileno())


def fingerprint(program, scale):
    return hashlib.sha256(program.read_bytes() + json.dumps(scale, sort_keys=True, default=str).encode()).hexdigest()[:16]


def brief(answer):
    """One line of an answer for the terminal."""
    words = []
    if "verdict" in answer:
        words.append(answer["verdict"])
    if "checked" in answer:
        words.append(f"{answer['checked']} checked")
    for name in ("ratio", "wall"):
        if isinstance(answer.get(name), (int, float)):
            words.append(f"{name} {answer[name]:.3g}")
    return ", ".join(words) or ", ".join(f"{key} {value}" for key, value in list(answer.items())[:3])


def measure_all(part, cells, journal):
    for number, cell in enumerate(cells, 1):
        if cell.name in journal.answers:
            continue
        begin = time.monotonic()
        try:
            answer = cell.measure()
        except RuntimeError as trouble:
            answer = {"verdict": "failed", "reason": str(trouble)[-300:]}
        journal.add(cell.name, answer)
        print(f"  {part} {number}/{len(cells)}  {cell.name}: {brief(answer)}  [{time.monotonic() - begin:.1f} s]", flush=True)
    return {cell.name: journal.answers[cell.name] for cell in cells}


def machine():
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), model)
    except OSError:
        pass
    return {"processor": model, "cores": os.cpu_count(), "system": f"{platform.system()} {platform.release()}"}


def read_results(file):
    return json.loads(file.read_text()) if file.exists() else None


def write_results(file, results):
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_text(json.dumps(results, indent=1) + "\n")
    part.rename(file)


def fail(message):
    sys.exit(f"benchmarks/run: {message}")
