# Formatting, vet and staticcheck, in every module.

unformatted=$(gofmt -l $(git ls-files '*.go'))
[ -z "$unformatted" ] || { echo "gofmt would change:"; echo "$unformatted"; exit 1; }
GOBIN=$BONAFIDE_CI_DIR/bin go install honnef.co/go/tools/cmd/staticcheck@v0.8.2
for workspace in . examples/recipes; do
	(cd "$workspace" && go vet work && "$BONAFIDE_CI_DIR/bin/staticcheck" work)
done
