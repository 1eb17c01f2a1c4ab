# Every fuzz target for BONAFIDE_CI_FUZZTIME (10 s) beyond its corpus.

for module in $modules; do
	cd "$module"
	for file in $(grep -rlE '^func Fuzz' --include='*_test.go' . | sort); do
		package=$(dirname "$file")
		case "$package" in ./*/go.mod) continue ;; esac
		# A nested module's packages are found from their own module.
		[ "$(cd "$package" && go env GOMOD)" = "$module/go.mod" ] || continue
		for target in $(grep -hoE '^func Fuzz[A-Za-z0-9_]*' "$file" | sed 's/^func //'); do
			echo "$package $target"
			go test -run '^$' -fuzz "^$target\$" -fuzztime "${BONAFIDE_CI_FUZZTIME:-10s}" "$package" >"$BONAFIDE_CI_DIR/fuzz.log" 2>&1 ||
				{ cat "$BONAFIDE_CI_DIR/fuzz.log"; exit 1; }
		done
	done
	cd "$OLDPWD"
done
