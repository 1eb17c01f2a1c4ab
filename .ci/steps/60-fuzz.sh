# Every fuzz target for BONAFIDE_CI_FUZZ (100 executions) beyond its corpus,
# two at a time with a worker each. The budget is a count, not a time: Go before
# 1.27 now and then reports the end of a time budget as a failure
# (golang/go#75804). Shrinking what is interesting has a budget of its own, so
# that it cannot eat the other; a target that hangs is ended and fails. Longer, before
# a release: BONAFIDE_CI_FUZZ=100000x bash .ci/run 60

fuzz_one() {
	log=$(mktemp "$BONAFIDE_CI_DIR/fuzz.XXXXXX")
	if (cd "$1" && timeout 300 go test -run '^$' -fuzz "^$3\$" -fuzztime "${BONAFIDE_CI_FUZZ:-100x}" -fuzzminimizetime 50x -parallel 1 "$2") >"$log" 2>&1; then
		echo "$2 $3: $(grep -oE 'execs: [0-9]+' "$log" | tail -n 1)"
	else
		cat "$log"
		return 1
	fi
}
export -f fuzz_one

for module in $modules; do
	for file in $(cd "$module" && grep -rlE '^func Fuzz' --include='*_test.go' . | sort); do
		package=$(dirname "$file")
		# A nested module's packages are found from their own module.
		[ "$(cd "$module/$package" && go env GOMOD)" = "$module/go.mod" ] || continue
		for target in $(grep -hoE '^func Fuzz[A-Za-z0-9_]*' "$module/$file" | sed 's/^func //'); do
			printf '%s\0%s\0%s\0' "$module" "$package" "$target"
		done
	done
done | xargs -0 -n 3 -P 2 bash -c 'fuzz_one "$@"' fuzz
