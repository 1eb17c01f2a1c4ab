# go.mod and go.sum of every module are what `go mod tidy` makes them.

for module in $modules; do
	(cd "$module" && go mod tidy -diff)
done
go mod verify
