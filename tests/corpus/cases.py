"""cases.py: reads *.cases, files of small transcripts with their verdicts.

A case is one statement under test with what databases answer to it:

    case division of integers
    setup CREATE TABLE t (a INT)               any number, each one set-up line
    table {"table":"t","rows":[[7]]}           a line of the transcript as it is, before the transactions
    settings {"found_rows":true}               the header's settings
    do UPDATE t SET a = a + 0                  an operation before the one under test, in its transaction
    do SELECT a FROM t => {"rows":[[7]]}       with its observation
    next                                       commits: what follows is another transaction
    abort                                      like next, but the transaction before is aborted
    sql SELECT a/2 FROM t                      the statement under test
    then SELECT a FROM t => {"rows":[[7]]}     an operation behind it
    final {"final":"t","rows":[[7]]}           a line behind the transactions
    answer postgresql sqlite: {"rows":[[3]]}   what these dialects answer: correct there, and a violation
    answer mariadb mysql: {"rows":[["3.5000"]]}    in every other dialect of the case
    correct mysql: {"rows":[[3.5]]}            another observation, and its verdict in these dialects only
    violation postgresql: {"rows":[]}
    unknown sqlite: {"rows":[[3]]}
    live postgresql mariadb                    only these answers are confirmed on servers; default: all that answer

Lines that begin with a blank continue the line above.  `#` begins a comment line.
"""
import json

DIALECTS = ("postgresql", "mysql", "mariadb", "sqlite", "generic")
VERDICTS = ("correct", "violation", "unknown", "bad-input")
OBSERVED = "observed"  # the name of the transaction under test


class Malformed(Exception):
    pass


class Case:
    def __init__(self, place, title):
        self.place, self.title = place, title
        self.settings, self.head, self.tail, self.steps = None, [], [], []
        self.judged = []  # (dialect, observation, verdict)
        self.answers = {}  # dialect -> observation
        self.live = None
        self.has_statement = False


def observation(case, text):
    try:
        value = json.loads(text)
    except ValueError as error:
        raise Malformed(f"{case.place}: {error}: {text}")
    unknown = set(value) - {"rows", "columns", "affected", "error", "results"}
    if unknown:
        raise Malformed(f"{case.place}: unknown field of an observation: {unknown}")
    return value


def operation(case, text):
    sql, arrow, observed = text.rpartition(" => ")
    return {"sql": sql, **observation(case, observed)} if arrow else {"sql": text}


def dialects_of(case, words):
    names = DIALECTS if words == ["all"] else words
    for name in names:
        if name not in DIALECTS:
            raise Malformed(f"{case.place}: unknown dialect '{name}'")
    return names


def add_line(case, word, rest):
    if word in ("setup", "do", "sql", "then") and not rest:
        raise Malformed(f"{case.place}: '{word}' needs SQL")
    if word == "setup":
        case.head.append({"setup": rest})
    elif word == "table":
        case.head.append(json.loads(rest))
    elif word == "final":
        case.tail.append(json.loads(rest))
    elif word == "settings":
        case.settings = json.loads(rest)
    elif word in ("do", "then"):
        case.steps.append(("op", operation(case, rest)))
    elif word in ("next", "abort"):
        case.steps.append((word, None))
    elif word == "sql":
        case.steps.append(("sql", rest))
        case.has_statement = True
    elif word == "live":
        case.live = dialects_of(case, rest.split())
    elif word == "answer" or word in VERDICTS:
        names, colon, observed = rest.partition(":")
        if not colon:
            raise Malformed(f"{case.place}: '{word} DIALECTS: OBSERVATION' expected")
        value = observation(case, observed)
        for name in dialects_of(case, names.split()):
            if word == "answer":
                if name in case.answers:
                    raise Malformed(f"{case.place}: two answers of {name}")
                case.answers[name] = value
            else:
                case.judged.append((name, value, word))
    else:
        raise Malformed(f"{case.place}: unknown word '{word}'")


def finish(case):
    if not case.has_statement or not (case.answers or case.judged):
        raise Malformed(f"{case.place}: a case needs 'sql' and a verdict")
    for name, right in case.answers.items():
        case.judged.append((name, right, "correct"))
        others = {json.dumps(o, sort_keys=True): o for o in case.answers.values()}
        for text, other in others.items():
            # Errors are compared by class, and codes of several databases name one class.
            if other != right and not ("error" in other and "error" in right):
                case.judged.append((name, other, "violation"))
    return case


def read_cases(path):
    """All cases of a file."""
    logical = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if not line.strip() or line.startswith("#"):
                continue
            if line[0] == " ":
                logical[-1][1] += "\n" + line.strip()
            else:
                logical.append([number, line])
    cases, titles = [], set()
    for number, line in logical:
        word, _, rest = line.partition(" ")
        if word == "case":
            if rest in titles:
                raise Malformed(f"{path}:{number}: a second case '{rest}'")
            titles.add(rest)
            cases.append(Case(f"{path}:{number}", rest))
        elif not cases:
            raise Malformed(f"{path}:{number}: 'case TITLE' comes first")
        else:
            cases[-1].place = f"{path}:{number}"
            try:
                add_line(cases[-1], word, rest.strip())
            except ValueError as error:
                raise Malformed(f"{path}:{number}: {error}")
    return [finish(case) for case in cases]


def transactions(case, observed):
    """The transaction lines, with the observation in its place."""
    lines, operations, name = [], [], None
    for kind, step in case.steps + [("next", None)]:
        if kind == "op":
            operations.append(step)
        elif kind == "sql":
            operations.append({"sql": step, **observed})
            name = OBSERVED
        elif operations:
            line = {"txn": name or f"t{len(lines) + 1}", "ops": operations}
            if kind == "abort":
                line["status"] = "aborted"
            lines.append(line)
            operations, name = [], None
    return lines


def transcript(case, dialect, observed):
    header = {"alibi": 1, "dialect": dialect, "name": case.title}
    if case.settings:
        header["settings"] = case.settings
    lines = [header] + case.head + transactions(case, observed) + case.tail
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
