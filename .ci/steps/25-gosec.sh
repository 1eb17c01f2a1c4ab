# gosec, in every module. What it reports is mended, or excluded at its place by
# "#nosec GXXX -- reason". Two rules are left out as a whole:
# G115 reports nearly every conversion of a length or an index to 32 bits; what
# is indexed so is bounded before (policy.MaxArgsBytes, the tokenizer's maxText,
# resolver.MaxReference), and tests hold those bounds.
# G602 reports indexes that a condition before them, or an array's own type,
# keeps in range; the fuzz targets look for those that nothing keeps.

GOBIN=$BONAFIDE_CI_DIR/bin go install github.com/securego/gosec/v2/cmd/gosec@v2.22.10
unexplained=$(git grep -n '#nosec' -- '*.go' | grep -vE '#nosec G[0-9]{3} -- [a-z]' || true)
[ -z "$unexplained" ] || { echo "#nosec without a rule and a reason:"; echo "$unexplained"; exit 1; }
for module in $modules; do
	case "$module" in */internal/evaluation) continue ;; esac # ships to nobody, and reads what the repository holds
	# Nested modules are looked at by themselves, and gosec does not know them.
	nested=$(cd "$module" && find . -mindepth 2 -name go.mod -printf '%h ' | sed 's,\./\([^ ]*\),-exclude-dir=\1,g')
	# Unless it is told the version of Go, it asks the go command hundreds of times.
	version=$(cd "$module" && GOWORK=off go list -m -f '{{.GoVersion}}')
	# shellcheck disable=SC2086
	(cd "$module" && GOSECGOVERSION=$version "$BONAFIDE_CI_DIR/bin/gosec" -quiet -exclude-generated -exclude=G115,G602 $nested ./...)
done
