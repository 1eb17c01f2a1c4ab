# Node and the npm clients that are tried through the proxy, as their lock file
# says. Nothing of theirs is run while they are installed.

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
	missing=
	command -v node >/dev/null || missing=nodejs
	command -v npm >/dev/null || missing="$missing npm"
	apt-get update -qq
	# shellcheck disable=SC2086
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >"$BONAFIDE_CI_DIR/apt-node.log" 2>&1 ||
		{ tail -n 30 "$BONAFIDE_CI_DIR/apt-node.log"; exit 1; }
fi
(
	cd examples/proxy/testdata/clients
	npm ci --ignore-scripts --no-progress --loglevel=error
	echo "node $(node --version), $(ls node_modules | wc -l) packages"
)
