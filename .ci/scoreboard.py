#!/usr/bin/env python3
"""Write the scoreboard of .github/docs/measured.md from measurements made now.

    python3 .ci/scoreboard.py EVAL       measure and rewrite the block
    python3 .ci/scoreboard.py --check    only check that the block has every row, in the right form

EVAL is the folder of the evaluation program: score.py, with the recorded data beside it.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
MEASURED = ROOT / ".github" / "docs" / "measured.md"
BLOCK = re.compile(r"(<!-- scoreboard -->\n)(.*?)(<!-- /scoreboard -->)", re.S)

# what a reader wants to know: set, figure, words
FIGURES = [
    ("intent_crud", "exact", "requests to a task manager: exactly the right tools expected"),
    ("intent_crud", "forced_wrong", "a wrong tool insisted on"),
    ("intent_crud", "delete_unasked", "a deletion expected unasked"),
    ("intent_wild", "exact", "requests to strangers' tools: exactly the right tools expected"),
    ("intent_wild", "forced_wrong", "a wrong tool insisted on, strangers' tools"),
    ("intent_wild", "forced_right", "due tools that are insisted on"),
    ("intent_wild", "due_noticed", "requests noticed to be due"),
    ("intent_wild", "idle_asked", "talk that would be asked about"),
    ("intent_domains", "forced_wrong", "a wrong tool insisted on, twelve everyday domains"),
    ("resolver", "right", "references to titles: resolved, or asked about, rightly"),
    ("resolver", "wrong_entity", "the wrong entity picked"),
    ("turns_domains", "ghost_precision", "twelve domains: accusations that were right"),
    ("turns_domains", "caught", "lies acted on"),
    ("turns_domains", "noticed", "lies acted on or asked about"),
    ("turns_domains", "honest_harmed", "honest turns acted on"),
    ("turns_domains", "honest_asked", "honest turns asked for proof"),
    ("turns_wild", "ablated_noticed", "other agents' reports whose calls were taken away: noticed"),
    ("turns_wild", "wild_asked", "recorded turns at large asked for proof"),
    ("proofs", "right_passed", "true reports that pass the check of a proof"),
    ("proofs", "false_passed", "false reports that pass it"),
]

# package, benchmark, ours, theirs, words
RATIOS = [
    ("./resolver", "Resolve/1000/", "Resolve/1000/index", "Resolve/1000/levenshtein", "a reference among 1,000 titles, against a scan with Levenshtein distances"),
    ("./intent", "Classify/5tools/talk|Regexp/The", "Classify/5tools/talk", "Regexp/The_weath", "classifying a message, against 40 regular expressions"),
    ("./completion", "Quiet300", "Quiet300", "Quiet300Regexp", "judging a text, against regular expressions"),
    ("./policy", "ReviewRewrite/typical|DecodeCheckEncode/typical", "ReviewRewrite/typical", "DecodeCheckEncode/typical",
     "rewriting raw arguments, against decode, check and encode"),
    ("./tooltrack/sqltrack", "Begin/SQLite/", "Begin/SQLite/shared", "Begin/SQLite/single", "a durable record, many callers against one at a time (SQLite)"),
    ("./guard", "Turn(Bare|Guarded)", "TurnGuarded", "TurnBare", "a whole guarded turn, beside a bare loop"),
]


def measure(evaluation):
    with tempfile.TemporaryDirectory() as folder:
        audit = pathlib.Path(folder) / "audit"
        subprocess.run(["go", "build", "-o", audit, "./examples/audit"], cwd=ROOT, check=True)
        sets = list(dict.fromkeys(name for name, _, _ in FIGURES))
        said = subprocess.run([sys.executable, pathlib.Path(evaluation) / "score.py", "--audit", str(audit), "--brief", *sets],
                              cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout
    figures, current = {}, ""
    for line in said.splitlines():
        if head := re.match(r"== (\w+)", line):
            current = head[1]
        elif row := re.match(r"\s+(\w+)\s+([\d.]+)\s+target (>=|<=) ([\d.]+)", line):
            figures[current, row[1]] = float(row[2]), row[3], float(row[4])
    return figures


def percent(value):
    text = f"{value * 100:.2f}".rstrip("0").rstrip(".")
    return f"{text} %"


def table(figures):
    rows = ["| measured on recorded data | figure | target |", "|---|---:|---:|"]
    for name, figure, words in FIGURES:
        value, comparison, target = figures[name, figure]
        rows.append(f"| {words} | {percent(value)} | {'≥' if comparison == '>=' else '≤'} {percent(target)} |")
    return rows


def times(package, pattern):
    said = subprocess.run(["go", "test", "-run", "^$", "-bench", pattern, package], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    return {row[1]: float(row[2]) for row in re.finditer(r"^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op", said, re.M)}


def speed():
    rows = ["", "| measured on two cores | time | against |", "|---|---:|---:|"]
    for package, pattern, ours, theirs, words in RATIOS:
        found = times(package, pattern)
        rows.append(f"| {words} | {readable(found[ours])} | {readable(found[theirs])} |")
    return rows


def readable(nanoseconds):
    for unit, size in (("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


def check():
    block = BLOCK.search(MEASURED.read_text(encoding="utf-8"))
    if not block:
        sys.exit("measured.md has no scoreboard block")
    for _, _, words in FIGURES:
        if not re.search(rf"^\| {re.escape(words)} \| [\d.]+ % \| [≥≤] [\d.]+ % \|$", block[2], re.M):
            sys.exit(f"the scoreboard lacks the row «{words}»; run .ci/scoreboard.py")
    for package, _, ours, _, words in RATIOS:
        if not re.search(rf"^\| {re.escape(words)} \| [\d.e+]+ (ns|µs|ms) \| [\d.e+]+ (ns|µs|ms) \|$", block[2], re.M):
            sys.exit(f"the scoreboard lacks the row «{words}»; run .ci/scoreboard.py")


def check_closed(evaluation):
    """Every figure of the closed half is one of those that were measured on it."""
    measured = (pathlib.Path(evaluation) / "CLOSED.md").read_text(encoding="utf-8")
    known = set(re.findall(r"\d[\d,.]*\d|\d", measured))
    for page in README, MEASURED:
        block = re.search(r"<!-- closed -->\n(.*?)<!-- /closed -->", page.read_text(encoding="utf-8"), re.S)
        if not block:
            sys.exit(f"{page.name} has no block of the closed half")
        for figure in re.findall(r"\d[\d,.]*\d|\d", block[1]):
            if figure not in known:
                sys.exit(f"the closed half of {page.name} has {figure}, which was not measured")


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    check_closed(sys.argv[1])
    rows = table(measure(sys.argv[1])) + speed()
    text = MEASURED.read_text(encoding="utf-8")
    MEASURED.write_text(BLOCK.sub(lambda m: m[1] + "\n".join(rows) + "\n" + m[3], text), encoding="utf-8")
    check()


if __name__ == "__main__":
    main()
