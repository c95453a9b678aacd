"""others.py: measurements that are scripts of their own.  One that is not there is left out."""

import subprocess
import time
from pathlib import Path

from suite.cells import Cell
from suite.part import Part
from suite.report import table

FOLDER = Path(__file__).resolve().parents[1]
# What is called in a full run, and in a quick one.
SCRIPTS = {"recording": (("recording",), None)}


class Others(Part):
    name, title = "others", "Measurements by scripts of their own"

    def cells(self):
        chosen = {name: quick if self.is_quick else full for name, (full, quick) in SCRIPTS.items()}
        return [Cell(name, lambda words=words: self.call(words)) for name, words in chosen.items()
                if words and (FOLDER / words[0]).exists()]

    @staticmethod
    def call(words):
        begin = time.monotonic()
        done = subprocess.run([str(FOLDER.parent / "scripts" / "live"), str(FOLDER / words[0]), *words[1:]], capture_output=True, text=True)
        return {"exit": done.returncode, "wall": time.monotonic() - begin, "output": done.stdout[-4000:]}

    def tables(self, answers):
        rows = [[name, answer["exit"], answer["wall"]] for name, answer in answers.items()]
        outputs = "".join(f"\n## {name}\n\n```\n{answer['output'].strip()}\n```\n" for name, answer in answers.items())
        return table(["script", "exit code", "seconds"], rows) + outputs


PARTS = [Others]
