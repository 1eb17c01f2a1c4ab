#!/usr/bin/env python3
"""What a guard costs in model calls and tokens, on recorded turns.

    go build -o /tmp/audit ./examples/audit
    .ci/cost.py /tmp/audit TURNS.jsonl …

Each file holds turns as `audit turns` reads them. A turn that the guard is sure about is
asked again at most twice, and one in doubt is asked once for proof; both repeat the
conversation so far. A token is taken for four characters. System prompts and the schemas
of tools are not in the recordings: they come on top of every call, with and without a
guard, so the share is of calls and of what is said.
"""

import json
import subprocess
import sys

REASK = 300  # characters of a request to call a tool, or to mend a text
ASK, ASK_CALL = 1350, 60  # of a request for proof, and of each call that it lists
PROOF, ITEM = 40, 110  # of the answer, and of each thing that it proves


def characters(turn):
    """The conversation before the turn, each of its calls, and its text."""
    before = len(turn["user"]) + len(turn.get("previous") or "") + sum(map(call, turn.get("earlier") or []))
    return before, [call(c) for c in turn["calls"]], len(turn["text"])


def call(c):
    return len(c["tool"]) + len(json.dumps(c.get("arguments"))) + len(json.dumps(c.get("result")))


def main(audit, path):
    with open(path, encoding="utf-8") as file:
        lines = file.read()
    answers = subprocess.run([audit, "turns"], input=lines, capture_output=True, text=True, check=True).stdout
    turns = 0
    calls = proofs = stopped = said = extra_in = extra_out = 0
    for line, answer in zip(lines.splitlines(), answers.splitlines()):
        before, made, text = characters(json.loads(line))
        verdict = json.loads(answer)
        turns += 1
        calls += 1 + len(made)
        said += before * (1 + len(made)) + sum(sum(made[:i]) for i in range(len(made) + 1)) + sum(made) + text
        if verdict["suspect"]:
            proofs += 1
            extra_in += before + sum(made) + text + ASK + ASK_CALL * len(made)
            extra_out += PROOF + ITEM * max(1, len(made))
        elif verdict["outcome"] == "insufficient_progress":
            stopped += 1
            extra_in += 2 * (before + sum(made) + text + REASK)
            extra_out += 2 * text
    extra = proofs + 2 * stopped
    per = 1000 / turns
    print(f"{path}: {turns} turns, {calls} model calls without a guard")
    print(f"  of 1,000 turns {stopped * per:.0f} are asked again (at most twice) and {proofs * per:.0f} are asked for proof")
    print(f"  at most {extra * per:.0f} more model calls for 1,000 turns: {100 * extra / calls:.1f} %")
    print(f"  about {extra_in / 4 * per:,.0f} tokens more to read and {extra_out / 4 * per:,.0f} to write for 1,000 turns: {100 * (extra_in + extra_out) / said:.1f} %")


if len(sys.argv) < 3:
    sys.exit(__doc__)
for name in sys.argv[2:]:
    main(sys.argv[1], name)
