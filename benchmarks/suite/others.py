"""others.py: measurements that are scripts of their own.  One that is not there is left out."""

import subprocess
import time
from pathlib import Path

from suite.cells import Cell
from suite.logs import URLS
from suite.part import Part
from suite.report import table

FOLDER = Path(__file__).resolve().parents[1]
LIVE = FOLDER.parent / "scripts" / "live"
# Does it want servers; what is called in a full run, and in a quick one, whose results are not to be kept.
SCRIPTS = {
    "encodings": (False, (), ("--seconds", "1", "--most", "14", "--logs", "5", "--out", "{work}/encodings")),
    "clients": (True, (), ("--transactions", "200", "--counts", "2,8", "--budget", "2", "--results", "{work}/clients")),
    "lies": (True, (), ("--transactions", "200", "--lies", "1", "--workloads", "bank", "--budget", "2", "--results", "{work}/lies")),
    "recording": (True, (), None),
}


class Others(Part):
    name, title = "others", "Measurements by scripts of their own"

    def cells(self):
        chosen = {name: (is_live, quick if self.is_quick else full) for name, (is_live, full, quick) in SCRIPTS.items()}
        return [Cell(name, lambda name=name, is_live=is_live, words=words: self.call(name, is_live, words))
                for name, (is_live, words) in chosen.items() if words is not None and (FOLDER / name).exists()]

    def call(self, name, is_live, words):
        folder = self.shelf.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        prefix = [] if not is_live or all(URLS.values()) else [LIVE]
        command = [*prefix, FOLDER / name, "--alibi", self.program, *(word.format(work=self.shelf.folder) for word in words)]
        begin = time.monotonic()
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        return {"exit": done.returncode, "wall": time.monotonic() - begin, "output": (done.stdout + done.stderr)[-6000:]}

    def tables(self, answers):
        rows = [[name, answer.get("exit"), answer.get("wall")] for name, answer in answers.items()]
        outputs = "".join(f"\n## {name}\n\n```\n{answer.get('output', '').strip()}\n```\n" for name, answer in answers.items())
        return table(["script", "exit code", "seconds"], rows) + outputs


PARTS = [Others]
