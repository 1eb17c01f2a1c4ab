# The scoreboard of measured.md has every row, in the form that its script writes.

python3 .ci/scoreboard.py --check
