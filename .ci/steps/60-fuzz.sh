# Every fuzz target for BONAFIDE_CI_FUZZTIME (10 s) beyond its corpus, two at a
# time with a worker each.

fuzz_one() {
	log=$(mktemp "$BONAFIDE_CI_DIR/fuzz.XXXXXX")
	if (cd "$1" && go test -run '^$' -fuzz "^$3\$" -fuzztime "${BONAFIDE_CI_FUZZTIME:-10s}" -parallel 1 "$2") >"$log" 2>&1; then
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
