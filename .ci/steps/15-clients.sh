# Node, curl and the npm clients that are tried through the proxy, as their lock
# file says. Nothing of theirs is run while they are installed.

missing=
command -v node >/dev/null || missing="$missing nodejs"
command -v npm >/dev/null || missing="$missing npm"
command -v curl >/dev/null || missing="$missing curl"
if [ -n "$missing" ]; then
	apt-get update -qq
	# shellcheck disable=SC2086
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >"$BONAFIDE_CI_DIR/apt-clients.log" 2>&1 ||
		{ tail -n 30 "$BONAFIDE_CI_DIR/apt-clients.log"; exit 1; }
fi
(
	cd examples/proxy/testdata/clients
	npm ci --ignore-scripts --no-progress --loglevel=error
	echo "node $(node --version), npm $(npm --version)"
)
