# Node, curl and the npm clients that are tried through the proxy, as their lock
# file says. Nothing of theirs is run while they are installed.

need node nodejs
need npm npm
need curl curl
install_needed
(
	cd examples/proxy/testdata/clients
	npm ci --ignore-scripts --no-progress --loglevel=error
	echo "node $(node --version), npm $(npm --version)"
)
