# The root module builds and passes its tests without the workspace. What takes very
# long (testing.Short) is left to step 80, as long as the workspace brings the same
# libraries. Recorded turns, which lie beside some checkouts and in no clone, are read
# here, and models fitted anew are measured on tools that they have not seen.

libraries() {
	go list -deps -test -f '{{with .Module}}{{.Path}} {{.Version}}{{end}}' ./... | sort -u
}

log=$BONAFIDE_CI_DIR/alone.log
short=-short
[ "$(libraries)" = "$(GOWORK=off libraries)" ] || short=-short=false
status=0
GOWORK=off go build ./...
GOWORK=off bash .ci/steady "$log" "$short" -v ./... || status=$?
bash .ci/steady "$log.recorded" -v -run='(Characters|Obedient)/recorded' ./guard/openaiguard || status=$?
bash .ci/steady "$log.unseen" -v -run='TestUnseenSets$' ./intent -unseen || status=$?
cat "$log.recorded" "$log.unseen" >>"$log"
grep -E 'unseen_test.go.*messages:' "$log" || status=1
grep -E '^ok' "$log"
if [ "$status" -ne 0 ]; then
	grep -nE -B 2 -A 25 -- '--- FAIL|^panic:|build failed|^#' "$log" | sed -n 1,200p
	exit 1
fi
