# Growth and overhead. Tests look at no clock; the benchmarks that report what they
# measured beside what is allowed (internal/benchbound) do. One that breaks its bound is measured
# again, up to five times in all, and its best run counts: what else runs on the machine can only
# make a measurement worse.

(
	log=$BONAFIDE_CI_DIR/bounds.log
	all=$(git grep -lF 'benchbound.' -- '*_test.go' | grep -v '^internal/benchbound/' | xargs -n 1 dirname | sort -u | sed 's,^,./,')
	packages=$all benchmarks='Growth|Overhead'
	for round in 1 2 3 4 5; do
		# One package after the other, so that they do not disturb each other.
		# shellcheck disable=SC2086
		go test -vet=off -p 1 -run '^$' -bench "$benchmarks" -benchtime 4x $packages >"$log" 2>&1 || { cat "$log"; exit 1; }
		awk '
			$1 == "pkg:" {package = $2}
			/ measured/ {
				for (i = 2; i < NF; i++) {if ($(i + 1) == "measured") measured = $i; if ($(i + 1) == "allowed") limit = $i}
				print package, $1, measured, limit
			}' "$log" >>"$log.measured"
		if [ "$round" = 1 ]; then
			reported=$(awk '{print $1}' "$log.measured" | sort -u | wc -l)
			[ "$reported" = "$(echo "$all" | wc -l)" ] || { echo "only $reported packages reported a bound"; exit 1; }
			echo "$(wc -l <"$log.measured") bounds"
		fi
		awk '{name = $1 " " $2; limit[name] = $4; if (!(name in best) || $3 < best[name]) best[name] = $3}
			END {for (name in best) if (best[name] > limit[name]) print name, best[name] ", allowed are", limit[name]}' \
			"$log.measured" >"$log.broken"
		[ -s "$log.broken" ] || exit 0
		packages=$(awk '{print $1}' "$log.broken" | sort -u)
		benchmarks=$(awk '{sub(/[\/-].*/, "", $2); print "^" $2 "$"}' "$log.broken" | sort -u | paste -sd '|')
	done
	cat "$log.broken"
	exit 1
)

# What a judgement does, counted statement by statement, while its turn grows.
(
	effort=$BONAFIDE_CI_DIR/effort
	go build -cover -covermode=atomic -coverpkg=github.com/bonafide-go/bonafide/...,strings -o "$effort" ./internal/evaluation/effort
	GOCOVERDIR=$BONAFIDE_CI_DIR "$effort" >"$effort.log" || { cat "$effort.log"; exit 1; }
	echo "$(wc -l <"$effort.log") families of turns"
)
