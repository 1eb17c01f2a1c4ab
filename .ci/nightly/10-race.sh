# All tests with the race detector, a sample of the cases each: it looks for races, and
# those are the same in all cases.

(
	unset BONAFIDE_TEST_ALL
	go test -race -timeout=60m ./tooltrack/sqltrack work | grep -v 'no test files'
)
