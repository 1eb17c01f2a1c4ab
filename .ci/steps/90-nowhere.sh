# A test that skips itself in one step runs in another: with the race detector or
# without, with the services or in a clone. What no step has run has not passed. Left
# out are those that a flag or another test asks for, seeds of fuzz targets, and
# recorded turns where there are none.

asked='(TestFit|TestMeasured|TestKillChild|TestAGuardedTurn/fault_slow|Fuzz[A-Za-z]*/.*)$'
[ -e ../shared/data/dev ] || asked="$asked|[Rr]ecorded"
if [ -e "$BONAFIDE_CI_DIR/test.log" ] && [ -e "$BONAFIDE_CI_DIR/alone.log" ] && [ -e "$BONAFIDE_CI_DIR/clone.log" ]; then
	nowhere=$(awk '
		$1 == "---" && $2 == "SKIP:" {skipped[$3]}
		$1 == "---" && $2 == "PASS:" {passed[$3]}
		$1 == "ok" || $1 == "FAIL" && NF > 2 { # the tests before it are of this package
			for (test in skipped) out[$2 " " test]
			for (test in passed) ran[$2 " " test]
			delete skipped
			delete passed
		}
		END {for (test in out) if (!(test in ran)) print test}' \
		"$BONAFIDE_CI_DIR"/{test,alone,clone}.log | grep -vE " $asked" | sort || true)
	[ -z "$nowhere" ] || { echo "skipped in every step:"; echo "$nowhere"; exit 1; }
	echo "what one step skips another has run"
else
	echo "nothing to compare: steps 40, 50 and 80 have not all run"
fi
