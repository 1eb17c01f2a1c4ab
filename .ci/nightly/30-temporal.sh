# Turns in Temporal, against a real server: the development server of its command line tool,
# built from the module proxy, since Debian has no package of it.

if [ -z "${BONAFIDE_TEST_TEMPORAL:-}" ]; then
	GOBIN=$BONAFIDE_CI_DIR go install github.com/temporalio/cli/cmd/temporal@v1.5.1
	port=$((30000 + RANDOM % 10000))
	"$BONAFIDE_CI_DIR/temporal" server start-dev --ip 127.0.0.1 --port "$port" --headless --log-level error \
		>"$BONAFIDE_CI_DIR/temporal.log" 2>&1 &
	temporal=$!
	export BONAFIDE_TEST_TEMPORAL=127.0.0.1:$port
	for _ in $(seq 100); do
		"$BONAFIDE_CI_DIR/temporal" operator cluster health --address "$BONAFIDE_TEST_TEMPORAL" 2>/dev/null | grep -q SERVING && break
		sleep 0.3
	done
fi
failed=0
for module in guard/temporalguard examples/temporal; do
	go test -C "$module" -count=1 -timeout=10m . || failed=1
done
if [ -n "${temporal:-}" ]; then
	kill "$temporal"
	unset BONAFIDE_TEST_TEMPORAL
fi
[ "$failed" = 0 ] || exit 1
