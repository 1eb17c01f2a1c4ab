# The README's test command, with the race detector; the recipes without it, since
# compiling their frameworks for it takes longer than all of their tests. A test that
# was skipped because a service is missing has not passed here: CI provides them.
# Tests that read thousands of turns one after the other, or measure time, skip
# themselves under the detector (raceEnabled): steps 50 and 80 run them, and step 90
# sees to it. The store's tests take longest by now, so they begin first.

log=$BONAFIDE_CI_DIR/test.log
status=0
bash .ci/steady "$log" -race -v ./tooltrack/sqltrack work || status=$?
(cd examples/recipes && bash ../../.ci/steady "$log.recipes" -v work) || status=$?
cat "$log.recipes" >>"$log"
grep -E '^ok|no test files' "$log" || true
if [ "$status" -ne 0 ]; then
	grep -nE -B 2 -A 25 -- '--- FAIL|^panic:|DATA RACE|build failed|^#' "$log" | sed -n 1,300p
	exit 1
fi
if grep -nE 'BONAFIDE_TEST_[A-Z]+ is not set|(tmux|python3|node|curl|the npm clients?) (is|are) not installed' "$log"; then
	echo "tests were skipped that must run here"
	exit 1
fi
