# The README's test command, once, with all services; and the recipes, which have a
# workspace of their own. A test that is skipped has not passed: here is all that it could
# miss. Left out are what a flag or another test asks for, seeds of fuzz targets, and
# recorded turns where there are none. What takes longest begins first, and three packages are
# tested at a time: some wait for databases and browsers. Step 20 has vetted all.

(
	log=$BONAFIDE_CI_DIR/test.log
	began=$SECONDS
	status=0
	go test -v -vet=off -p 3 -parallel 4 ${BONAFIDE_TEST_ALL:+-timeout=90m} \
		./tooltrack/sqltrack ./examples/taskmanager ./internal/evaluation/stage/guard ./guard work >"$log" 2>&1 || status=$?
	took=$((SECONDS - began))
	(cd examples/recipes && go test -v -vet=off work) >>"$log" 2>&1 || status=$?
	grep -E '^ok|^FAIL' "$log" || true
	if [ "$status" -ne 0 ]; then
		grep -nE -B 2 -A 25 -- '--- FAIL|^panic:|build failed|^#' "$log" | sed -n 1,300p
		exit 1
	fi

	asked='TestFit|TestMeasured|Test[A-Za-z]*Child|TestAGuardedTurn/fault_slow|Fuzz[A-Za-z]*/.*'
	# What needs Temporal's own server runs each night.
	asked="$asked|TestServer[A-Za-z]*"
	[ -e ../shared/data/dev ] || asked="$asked|.*[Rr]ecorded.*"
	skipped=$(grep -oE -- '--- SKIP: [^ ]+' "$log" | grep -vE -- "SKIP: ($asked)\$" || true)
	[ -z "$skipped" ] || { echo "tests were skipped that must run here:"; echo "$skipped"; exit 1; }

	echo "all tests took $took s; the longest, in seconds:"
	awk '/^--- PASS: / {sub(/[(]/, "", $4); sub(/s[)]/, "", $4); times[$3] = $4}
		$1 == "ok" {for (test in times) print times[test], $2 "." test; delete times}' "$log" | sort -rn | sed -n 1,10p
)
