# The root module builds and passes its tests without the workspace.

GOWORK=off go build ./...
GOWORK=off bash .ci/steady "$BONAFIDE_CI_DIR/alone.log" ./... || { tail -n 200 "$BONAFIDE_CI_DIR/alone.log"; exit 1; }
grep -E '^ok' "$BONAFIDE_CI_DIR/alone.log"
