package reading

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatACommandRuns: a check by its command, not by a word in it; and what changes
// something after it.
func TestWhatACommandRuns(t *testing.T) {
	for kind, lines := range map[Run][]string{
		RunsChecks: {
			"go test ./...", "cd x && npm test", "npm run test:unit -- --watch=false", "bundle exec rspec", "./gradlew :app:check", "mvn -q clean verify",
			"make -C web lint", "python -m pytest -q", "CI=1 timeout 60 pytest", "bash -lc 'go test ./... 2>&1 | tail -20'", `sh -c "cargo clippy"`, "npx tsc --noEmit",
			"go vet ./... | tee vet.log", "sed -i s/a/b/ x.go && go test ./...", "go test ./... && git commit -am 'fix; rm x'", "go build ./... > build.log 2>&1", "golint ./...",
			"cmake --build .", "# the tests\npytest\necho finished", "if true; then pytest; fi", "test", "cat > a.go <<'EOF'\nrm -rf x\nEOF\ngo test ./...", "poetry run mypy src",
			"go test \\\n  ./...", "/usr/local/bin/pytest x",
		},
		RunsLooks: {
			"ls", "grep -r test .", "echo 3 passed", "cat parser_test.go", "git commit -m 'all tests pass'", "git status; git log", "find . -name '*test*' | sort | uniq -c",
			"cd x && rg 'go test' README.md 2>/dev/null", "test -f x", "FOO=1", "echo 'x > y; rm z'", "git grep test", "echo 'go test", "tail -f build.log", "sed -n 1,20p x.go", "grep -i test x", "cat <<EOF\nrm x\nEOF",
		},
		RunsOther: {
			"", "# go test", "sed -i s/a/b/ x.go", "go test ./... && sed -i s/a/b/ x.go", "pytest; ./fix.sh", "echo test > a.go", "cat > t.sh <<EOF\ngo test ./...\nEOF", "mkdir test", "rm -r build",
			"pip install pytest", "npm install jest", "git checkout test", "git stash", "find . -name '*.tmp' -delete", "sed --in-place s/a/b/ x", "cat <<-EOF\nls\n\tEOF\nrm x", "./deploy.sh", "python fix.py", "kubectl delete deployment test", "touch lint", "vim parser_test.go",
			"go run ./cmd/build.go", "cat <<EOF > a.go\ntest", "curl -X POST https://ci.example/test",
		},
	} {
		for _, line := range lines {
			require.Equal(t, kind, English().runOf(line, 2), line)
		}
	}
}

// FuzzCommand: no line breaks the reading, and what is changed at its end is never checked.
func FuzzCommand(f *testing.F) {
	for _, line := range []string{
		"go test ./...", "a <<EOF\nx\nEOF\ny", "<<", "<<'", "'", `"\`, "a >", "a > &1 2>&1", "bash -c 'bash -c \"ls\"'", "a | b || c && d & e; (f) `g`", "# x\ny", "x=1 2 -", "<<E\n", "\\",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		English().runOf(line, 2)
		if !strings.ContainsAny(line, "'\"\\<#") {
			require.Equal(t, RunsOther, English().runOf(line+"\nrm x", 2), line)
		}
	})
}
