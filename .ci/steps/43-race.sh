# The race detector, over what many goroutines share: whole packages where they are small, but
# for tests that only compute, in one goroutine and for long; and of guard and chatwire the
# tests with goroutines or a clock of their own. All tests of all packages: .ci/nightly/10-race.sh

computing='SchemasAgree|SchemasWithoutEnd|DecodeManyKeys|EveryDecisionIsWhole|LimiterIsBounded|FastEqualsSlow|RemovedEntries|Adding$|HostileTexts|EqualsModel'
go test -vet=off -race -short -skip "$computing" ./tooltrack ./policy ./resolver ./intent ./completion
go test -vet=off -race -short -v -run 'AtOnce|Concurrent|Shared|Resumers|UnderWay|Denied|Cancel|Timeout|Slow|Observ|Keepalive' \
	-skip 'CannotJudge|TooLarge' ./guard ./guard/chatwire >"$BONAFIDE_CI_DIR/race.log" 2>&1 || { grep -E -A 30 -- '--- FAIL|DATA RACE|^panic' "$BONAFIDE_CI_DIR/race.log"; exit 1; }
grep -E '^ok' "$BONAFIDE_CI_DIR/race.log"
echo "$(grep -c '^--- PASS' "$BONAFIDE_CI_DIR/race.log") tests of guard and chatwire"
