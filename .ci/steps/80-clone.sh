# The README's first command in a fresh clone, with nothing set and no service, and tests
# that need one: they say what is missing, and pass. With nothing compiled, and all tests:
# .ci/nightly/20-clone.sh

clone=$BONAFIDE_CI_DIR/clone
git clone -q . "$clone"
(
	cd "$clone"
	unset BONAFIDE_TEST_POSTGRES BONAFIDE_TEST_BROWSER BONAFIDE_TEST_AXE
	go run ./examples/taskmanager </dev/null >"$BONAFIDE_CI_DIR/tour.txt" 2>&1 || { cat "$BONAFIDE_CI_DIR/tour.txt"; exit 1; }
	grep -E '^(lies shown|turns that spoiled)' "$BONAFIDE_CI_DIR/tour.txt"
	go test -v -vet=off -run 'Postgre|Stores|Concurrent|Page|Browser' ./tooltrack/sqltrack ./examples/taskmanager >"$BONAFIDE_CI_DIR/bare.log" 2>&1 ||
		{ cat "$BONAFIDE_CI_DIR/bare.log"; exit 1; }
	grep -c 'BONAFIDE_TEST_[A-Z]* is not set' "$BONAFIDE_CI_DIR/bare.log" || { echo "no test said that a service is missing"; exit 1; }
)
