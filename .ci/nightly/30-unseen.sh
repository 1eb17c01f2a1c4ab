# Models fitted anew are measured on sets of tools that they have not seen.

BONAFIDE_TEST_UNSEEN=1 go test -v -timeout=60m -run='TestUnseenSets$' ./internal/evaluation/requestfit | tee "$BONAFIDE_CI_DIR/unseen.log" | grep -E 'unseen_test.go.*messages:'
grep -E '^ok' "$BONAFIDE_CI_DIR/unseen.log"
