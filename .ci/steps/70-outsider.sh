# A stranger's program: the modules are packed as a release would be, served
# from a file:// proxy, and used from outside the repository.

proxy=$BONAFIDE_CI_DIR/proxy
(cd .ci/pack && GOWORK=off go run . -repository ../.. -version v0.1.0 -proxy "$proxy")
outsider=$BONAFIDE_CI_DIR/outsider
mkdir "$outsider"
cp .ci/pack/testdata/outsider.go.txt "$outsider/main.go"
(
	cd "$outsider"
	export GOWORK=off GOFLAGS=-mod=mod GONOSUMDB='github.com/bonafide-go/*'
	export GOPROXY="file://$proxy,$(go env GOPROXY)"
	# A module cache of its own would download everything again; the versions of
	# an earlier run are taken out of the shared one instead.
	cache=$(go env GOMODCACHE)
	chmod -R u+w "$cache"/github.com/bonafide-go "$cache"/cache/download/github.com/bonafide-go 2>/dev/null || true
	rm -rf "$cache"/github.com/bonafide-go "$cache"/cache/download/github.com/bonafide-go
	go mod init example.com/outsider
	for module in $(cat "$proxy/modules"); do go get "$module@v0.1.0"; done
	go mod tidy
	go build ./...
	go run .
	chmod -R u+w "$cache"/github.com/bonafide-go "$cache"/cache/download/github.com/bonafide-go
	rm -rf "$cache"/github.com/bonafide-go "$cache"/cache/download/github.com/bonafide-go
)
