# The commit as a release would publish it: a stranger's package builds against
# each module alone, and a stranger's program runs with all of them. Nothing is
# tagged.

release=$BONAFIDE_CI_DIR/release
go vet -C .ci/release ./...
go test -C .ci/release ./...
go run -C .ci/release . -build "$release" v0.1.0
outsider=$BONAFIDE_CI_DIR/outsider
mkdir "$outsider"
cp .ci/release/testdata/outsider.go.txt "$outsider/main.go"
(
	cd "$outsider"
	shared=$(go env GOMODCACHE)
	export GOPROXY="file://$release/proxy,file://$shared/cache/download,$(go env GOPROXY)"
	export GOMODCACHE=$release/modules GOWORK=off GOFLAGS='-mod=mod -modcacherw -trimpath' GONOSUMDB='*'
	go mod init example.com/outsider
	for module in $(cat "$release/proxy/modules"); do go get "$module@v0.1.0"; done
	go mod tidy
	go build ./...
	go run .
) 2>&1 | grep -v '^go: \(downloading\|added\)'
