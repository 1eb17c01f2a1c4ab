# What the library costs a program that starts: the time of the first guard and the first
# judgement as a ratio to a program that only makes an HTTP client, a second guard, what the
# library does before main, and what it adds to the binary. The best of many runs counts:
# what else runs on the machine can only make a measurement worse.

(
	dir=$BONAFIDE_CI_DIR/start
	mkdir -p "$dir"
	go build -o "$dir/guarded" ./internal/evaluation/start
	go build -o "$dir/empty" ./internal/evaluation/start/empty
	# best COMMAND prints the shortest of forty runs, in microseconds.
	best() {
		for _ in $(seq 40); do
			began=$EPOCHREALTIME
			"$@" >/dev/null
			echo "$EPOCHREALTIME $began"
		done | awk '{took = int(1e6 * ($1 - $2)); if (!best || took < best) best = took} END {print best}'
	}
	empty=$(best "$dir/empty")
	guarded=$(best "$dir/guarded")
	for _ in $(seq 40); do "$dir/guarded"; done >"$dir/laps"
	for _ in $(seq 10); do GODEBUG=inittrace=1 "$dir/guarded" 2>&1 >/dev/null; done |
		awk '$1 == "init" && $2 ~ "bonafide" {if (!($2 in best) || $5 < best[$2]) best[$2] = $5}
			END {for (name in best) sum += best[name]; print "init", int(1000 * sum)}' >>"$dir/laps"
	bytes=$(($(stat -c %s "$dir/guarded") - $(stat -c %s "$dir/empty")))
	awk -v empty="$empty" -v guarded="$guarded" -v bytes="$bytes" '
		!($1 in best) || $2 < best[$1] {best[$1] = $2}
		function hold(name, measured, limit) {
			printf "%-34s %10.1f, at most %.1f\n", name, measured, limit
			if (measured > limit) broken = 1
		}
		END {
			hold("a start, to an empty program", guarded / empty, 14)
			hold("first guard, ms", best["new"] / 1000, 10)
			hold("first guard and judgement, ms", (best["new"] + best["judge"]) / 1000, 30)
			hold("guard with fifty tools, ms", best["fifty"] / 1000, 1)
			hold("before main, ms", best["init"] / 1000, 0.5)
			hold("binary, MB more", bytes / 1e6, 8.6)
			exit broken
		}' "$dir/laps"
)
