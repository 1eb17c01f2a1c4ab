# Growth and overhead. Tests look at no clock; the benchmarks that report what they
# measured beside what is allowed (internal/benchbound) do. Each runs five times, and the
# best run counts: what else runs on the machine can only make a measurement worse.

(
	log=$BONAFIDE_CI_DIR/bounds.log
	packages=$(git grep -lF 'benchbound.' -- '*_test.go' | grep -v '^internal/benchbound/' | xargs -n 1 dirname | sort -u)
	# One package after the other, so that they do not disturb each other.
	go test -p 1 -run '^$' -bench 'Growth|Overhead' -benchtime 4x -count 5 $(printf './%s ' $packages) >"$log" 2>&1 || { cat "$log"; exit 1; }
	awk -v packages="$(echo "$packages" | wc -l)" '
		$1 == "pkg:" {package = $2}
		/ measured/ {
			for (i = 2; i < NF; i++) {if ($(i + 1) == "measured") measured = $i; if ($(i + 1) == "allowed") limit = $i}
			name = package "." $1
			if (!(name in best) || measured < best[name]) best[name] = measured
			allowed[name] = limit
			seen[package]
		}
		END {
			for (name in best) {
				count++
				if (best[name] > allowed[name]) {print name ": " best[name] ", allowed are " allowed[name]; broken = 1}
			}
			if (length(seen) != packages) {print packages " packages have bounds, " length(seen) " reported any"; broken = 1}
			print count " bounds"
			exit broken
		}' "$log"
)

# What a judgement does, counted statement by statement, while its turn grows.
(
	effort=$BONAFIDE_CI_DIR/effort
	go build -cover -covermode=atomic -coverpkg=github.com/bonafide-go/bonafide/...,strings -o "$effort" ./internal/evaluation/effort
	GOCOVERDIR=$BONAFIDE_CI_DIR "$effort" >"$effort.log" || { cat "$effort.log"; exit 1; }
	echo "$(wc -l <"$effort.log") families of turns"
)
