"""measure.py: runs one program under a time and a memory limit and says what it cost.

An audit's answer is its JSON report; one that was ended by a limit is recorded as `timeout` or `memory`, never left out.
"""

import json
import os
import re
import shlex
import statistics
import subprocess
import time

MEMORY_KB = 6_000_000
LIMITED = 'ulimit -v "$0"; exec timeout -k 5 "$@"'
FIELDS = ("verdict", "transactions", "checked", "seconds", "peak_rss_kb", "solver_calls", "solver_seconds", "reason", "stats")


def limited(command, seconds):
    """The words that run a command under both limits.  `timeout` forks: a peak of memory is the command's own."""
    return ["sh", "-c", LIMITED, str(MEMORY_KB), str(seconds), *map(str, command)]


def run(command, seconds, stdin=None):
    """(exit code, standard output, standard error, wall seconds, processor seconds)"""
    with open(stdin or os.devnull, "rb") as source:
        before, begin = os.times(), time.monotonic()
        done = subprocess.run(limited(command, seconds), stdin=source, capture_output=True, text=True, errors="replace")
        wall, after = time.monotonic() - begin, os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return done.returncode, done.stdout, done.stderr, wall, cpu


def ended(code, trouble):
    """What to call an end without an answer."""
    if code in (124, 137):
        return "timeout"
    if "memory" in trouble or code == 134:
        return "memory"
    return "failed"


def short(command, log=None):
    """The command for people: file names without their folder."""
    return shlex.join(os.path.basename(str(word)) if os.path.isabs(str(word)) else str(word) for word in command)


def audit(program, log, level, budget=None, flags=(), grace=30):
    """One audit: the fields of its report, wall and processor seconds, and its command."""
    command = [program, "check", log, "--level", level, *flags, "--quiet", "--format", "json"]
    if budget:
        command += ["--budget", str(budget)]
    code, out, trouble, wall, cpu = run(command, (budget or 600) + grace)
    answer = {"command": short(command), "wall": round(wall, 3), "cpu": round(cpu, 3)}
    try:
        report = json.loads(out)
    except ValueError:
        return {**answer, "verdict": ended(code, trouble), "checked": 0, "reason": trouble.strip()[-200:]}
    return {**answer, **{field: report[field] for field in FIELDS if field in report}}


def turns(runs, sides):
    """Each side in turn, so many times: sides is {name: function that returns a dict with `wall`}."""
    answers = {name: [] for name in sides}
    for number in range(runs):
        for name in sorted(sides, reverse=number % 2 == 1):
            answers[name].append(sides[name]())
    return answers


def median(answers, field="wall"):
    return statistics.median(answer[field] for answer in answers)


def shell(script, seconds=600):
    """SQLite's shell executes a script in memory: wall seconds and peak memory."""
    command = ["sqlite3", "-batch", ":memory:"]
    code, out, trouble, wall, cpu = run(command, seconds, script)
    peak = re.findall(r"VmHWM:\s+(\d+) kB", out)
    answer = {"wall": round(wall, 3), "cpu": round(cpu, 3), "command": f"{short(command)} <{script.name}"}
    if code in (124, 137):
        answer["verdict"] = "timeout"
    if peak:
        answer["peak_rss_kb"] = int(peak[-1])
    return answer


def instructions(program, log, level, seconds):
    """What callgrind counts for a whole audit, or None."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "check", log, "--level", level,
               "--quiet"]
    code, _, trouble, _, _ = run_unlimited(command, seconds)
    found = re.search(r"Collected : (\d+)", trouble)
    return int(found.group(1)) if found and code == 0 else None


def run_unlimited(command, seconds):
    """Without the limit on memory, which valgrind does not bear."""
    begin = time.monotonic()
    done = subprocess.run(["timeout", "-k", "5", str(seconds), *map(str, command)], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="replace")
    return done.returncode, done.stdout, done.stderr, time.monotonic() - begin, 0
