"""Transcripts as lists of JSON objects, and what the tests on them share."""
import json
import os
import re
import subprocess

CREATE = re.compile(r"\s*CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)\s*\((.*)\)\s*[^)]*$", re.I | re.S)
BATCH = 100


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        for line in lines:
            file.write(json.dumps(line) + "\n")


def split_outside(text, separator):
    """The parts of a text between separators that stand in no parentheses and in no quotes."""
    parts, depth, quote, part = [], 0, None, ""
    for letter in text:
        if quote:
            quote = None if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "()":
            depth += 1 if letter == "(" else -1
        if letter == separator and not depth and not quote:
            parts.append(part)
            part = ""
        else:
            part += letter
    return parts + [part]


class Table:
    """What CREATE TABLE says: the columns in their order, the primary key, the columns that other rows have a say in."""

    def __init__(self, text):
        found = CREATE.match(text)
        self.name, self.columns, self.primary, self.shared = found.group(1), [], [], set()
        for clause in split_outside(found.group(2), ","):
            words = clause.split()
            listed = re.search(r"\(([^()]*)\)", clause)
            names = [name.strip() for name in listed.group(1).split(",")] if listed else []
            kind = words[0].upper()
            if kind in ("PRIMARY", "UNIQUE", "FOREIGN", "CONSTRAINT", "CHECK", "KEY", "INDEX"):
                self.shared |= set(names) if kind != "CHECK" else set(re.findall(r"\w+", clause))
                if re.search(r"\bPRIMARY\s+KEY\b", clause, re.I):
                    self.primary = names
                continue
            self.columns.append(words[0])
            if re.search(r"\bPRIMARY\s+KEY\b", clause, re.I):
                self.primary = [words[0]]
            if re.search(r"\b(PRIMARY|UNIQUE|REFERENCES|CHECK)\b", clause, re.I):
                self.shared.add(words[0])


def tables(lines):
    found = {}
    for line in lines:
        for text in split_outside(line["setup"], ";") if "setup" in line else []:
            if CREATE.match(text):
                table = Table(text)
                found[table.name.lower()] = table
    return found


def ask(alibi, level, order, options, paths):
    """The answers of `alibi check`, as it gives them in JSON."""
    answers = []
    for start in range(0, len(paths), BATCH):
        command = [alibi, "check", "--level", level, "--order", order, "--format", "json", "--quiet", *options]
        done = subprocess.run(command + paths[start:start + BATCH], capture_output=True, text=True, timeout=900)
        answers += [json.loads(line) for line in done.stdout.splitlines() if line.strip()]
    if len(answers) != len(paths):
        raise SystemExit(f"FAILED: {len(answers)} answers to {len(paths)} logs at {level}: {done.stderr[-500:]}")
    return answers


def failing(answer):
    name = answer.get("failing_txn")
    return "-" if name is None else str(name)


def corpus(folder):
    """(path, levels, orders, verdict, transaction) of every line beside a transcript that is answered."""
    for where, _, names in os.walk(folder):
        for name in sorted(names):
            if not name.endswith(".expect"):
                continue
            path = os.path.join(where, name[:-len("expect")] + "jsonl")
            with open(os.path.join(where, name), encoding="utf-8") as file:
                for line in file:
                    words = line.split("#")[0].split()
                    if words and words[0] != "pending":
                        yield path, words
