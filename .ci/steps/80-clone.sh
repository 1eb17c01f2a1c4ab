# The README's commands in a fresh clone, with nothing set and no service.

clone=$BONAFIDE_CI_DIR/clone
git clone -q . "$clone"
(
	cd "$clone"
	unset BONAFIDE_TEST_POSTGRES BONAFIDE_TEST_BROWSER
	if [ -d examples/taskmanager ]; then go run ./examples/taskmanager; fi
	bash .ci/steady "$BONAFIDE_CI_DIR/clone.log" work || { tail -n 200 "$BONAFIDE_CI_DIR/clone.log"; exit 1; }
	grep -E "^ok" "$BONAFIDE_CI_DIR/clone.log"
)
