# What the library costs a program that starts: the first guard and judgement, a guard with
# fifty tools and what runs before main, each as a ratio to the whole run of a program that
# only makes an HTTP client (1.7 ms where these limits were set), and what the library adds to
# the binary. The milliseconds beside them are a guide: another machine has others. The best of
# many runs counts: what else runs on the machine can only make a measurement worse.

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
		function hold(name, measured, limit, guide) {
			printf "%-34s %8.2f, at most %5.2f  %s\n", name, measured, limit, guide
			if (measured > limit) broken = 1
		}
		function starts(name, micros, limit) {
			hold(name, micros / empty, limit, sprintf("(%.1f ms)", micros / 1000))
		}
		END {
			starts("whole run, in empty ones", guarded, 15)
			starts("first guard", best["new"], 9)
			starts("first guard and judgement", best["new"] + best["judge"], 12)
			starts("guard with fifty tools", best["fifty"], 0.5)
			starts("before main", best["init"], 0.3)
			hold("binary, MB more", bytes / 1e6, 8.4)
			exit broken
		}' "$dir/laps"
)
