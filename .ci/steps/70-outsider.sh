# A stranger's program: the modules are packed as a release would be, served
# from a file:// proxy, and used from outside the repository.

proxy=$BONAFIDE_CI_DIR/proxy
(cd .ci/pack && GOWORK=off go run . -repository ../.. -version v0.1.0 -proxy "$proxy")
outsider=$BONAFIDE_CI_DIR/outsider
mkdir "$outsider"
cp .ci/pack/testdata/outsider.go.txt "$outsider/main.go"
(
	cd "$outsider"
	# A module cache of its own, since the go command takes a version for
	# immutable and this one is packed anew each time. What others published
	# comes from the shared cache as far as it is there.
	shared=$(go env GOMODCACHE)
	export GOPROXY="file://$proxy,file://$shared/cache/download,$(go env GOPROXY)"
	export GOMODCACHE=$BONAFIDE_CI_DIR/modules GOWORK=off GOFLAGS='-mod=mod -modcacherw' GONOSUMDB='*'
	go mod init example.com/outsider
	for module in $(cat "$proxy/modules"); do go get "$module@v0.1.0"; done
	go mod tidy
	go build ./...
	go run .
) 2>&1 | grep -v '^go: \(downloading\|added\)'
