# The root module builds without the workspace, tests included. Where the workspace brings
# other versions of its libraries, its tests run, too; where not, step 40 ran the same.

libraries() {
	go list -deps -test -f '{{with .Module}}{{.Path}} {{.Version}}{{end}}' ./... | sort -u
}

GOWORK=off go build ./...
GOWORK=off go vet ./...
[ "$(libraries)" = "$(GOWORK=off libraries)" ] || GOWORK=off go test ./...
