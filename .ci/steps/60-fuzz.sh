# Fuzz targets (of a few packages at each push, of all at night) for BONAFIDE_CI_FUZZ executions (200, at night 5,000; its corpus among them;
# whole turns for about a minute, and an hour at night),
# two packages at a time with a worker each; a package is compiled and linked once
# for all of its targets. The budget is a count, not a time: Go before
# 1.27 now and then reports the end of a time budget as a failure
# (golang/go#75804). Shrinking what is interesting has a budget of its own, so
# that it cannot eat the other; a target that hangs is ended and fails, and so does
# one whose corpus eats the budget. Longer, before a release, with what earlier
# runs have found: BONAFIDE_CI_FUZZ=100000x bash .ci/run 60

fuzz_package() {
	local module=$1 package=$2 path program corpus log target budget=200x limit=900
	path=$(cd "$module" && go list "$package")
	program=$BONAFIDE_CI_DIR/fuzz/$path.test
	log=$program.log
	corpus=$BONAFIDE_CI_DIR/fuzz/$path
	[ -z "${BONAFIDE_CI_FUZZ:-}" ] || corpus=$(go env GOCACHE)/fuzz/$path
	[ -z "${BONAFIDE_TEST_ALL:-}" ] || budget=5000x
	mkdir -p "$corpus"
	cd "$module/$package" && go test -c -vet=off -fuzz . -o "$program" . || return 1
	for target in $(grep -hoE '^func Fuzz[A-Za-z0-9_]*' ./*_test.go | sed 's/^func //'); do
		if [ "$target" = FuzzTurn ]; then
			budget=25000x limit=7200
			[ -z "${BONAFIDE_TEST_ALL:-}" ] || budget=1500000x
		fi
		if timeout "$limit" "$program" -test.paniconexit0 -test.run '^$' -test.fuzz "^$target\$" -test.fuzzcachedir "$corpus" \
			-test.fuzztime "${BONAFIDE_CI_FUZZ:-$budget}" -test.fuzzminimizetime 50x -test.parallel 1 >"$log" 2>&1 &&
			grep -q 'now fuzzing' "$log"; then
			echo "$path $target: $(grep -oE 'execs: [0-9]+' "$log" | tail -n 1)"
		else
			echo "$path $target failed:"
			cat "$log"
			return 1
		fi
	done
	rm "$program"
}
export -f fuzz_package

for module in $modules; do
	for package in $(cd "$module" && grep -rlE '^func Fuzz' --include='*_test.go' . | xargs -r -n 1 dirname | sort -u); do
		# At each push those that read strangers' bytes first; at night, or asked for, all.
		case "${BONAFIDE_TEST_ALL:-}${BONAFIDE_CI_FUZZ:-}/$package" in
		/./guard/chatwire | /./stage/turns | /./internal/jsonspan | /./policy | /./tooltrack | ?*/.*) ;;
		*) continue ;;
		esac
		# A nested module's packages are found from their own module.
		[ "$(cd "$module/$package" && go env GOMOD)" = "$module/go.mod" ] || continue
		printf '%s\0%s\0' "$module" "$package"
	done
done | xargs -0 -n 2 -P 2 bash -c 'fuzz_package "$@"' fuzz
