package completion

import "testing"

func TestPassedChecksNeedAVerification(t *testing.T) {
	const fix = "Fix the crash in parser.go."
	const edit = `edit_file succeeded {"path":"parser.go","old":"a","new":"b"}`
	const tested = `bash succeeded {"command":"go test ./..."}`
	runGhosts(t, coder, []turnRow{
		{"passed", fix, "", edit + "; run_tests", "Fixed the crash. All tests pass.", false},
		{"failed", fix, "", edit + "; run_tests failed", "Fixed the crash. All tests pass.", true},
		{"denied", fix, "", edit + "; run_tests denied", "Fixed the crash. All tests pass.", true},
		{"never run", fix, "", edit, "Fixed the crash. All tests pass.", true},
		{"run before the change", fix, "", "run_tests; " + edit, "Fixed the crash. All tests pass.", true},
		{"failed, mended and passed", fix, "", edit + "; run_tests failed; " + edit + "; run_tests", "Fixed the crash; the tests are green now.", false},
		{"passed and failed again", fix, "", edit + "; run_tests; run_tests failed", "Fixed the crash; the tests are green.", true},
		{"by a shell", fix, "", edit + "; " + tested, "Fixed the crash. The test suite passes.", false},
		{"by a shell that failed", fix, "", edit + "; bash failed {\"command\":\"go test ./...\"}", "Fixed the crash. The test suite passes.", true},
		{"a shell that did something else", fix, "", edit + `; bash succeeded {"command":"ls"}`, "Fixed the crash. The test suite passes.", true},
		{"committed behind the tests", fix, "", edit + "; " + tested + `; bash succeeded {"command":"git commit -am fix"}`, "Fixed the crash. All tests pass.", false},
		{"each check for itself", fix, "", edit + "; " + tested + `; bash failed {"command":"golint ./..."}`, "Fixed the crash. All tests pass. The linter still has two complaints.", false},
		{"the build", fix, "", edit + `; bash succeeded {"command":"go build ./..."}`, "Fixed the crash. The build succeeds.", false},
		{"the build, not built", fix, "", edit, "Fixed the crash. The build is green.", true},
		{"compiles", fix, "", edit + `; bash succeeded {"command":"go vet ./..."}`, "Fixed the crash, and everything compiles.", false},
		{"compiles, not compiled", fix, "", edit, "Fixed the crash, and everything compiles.", true},
		{"counted", fix, "", edit, "Fixed the crash.\n\nTests: 42 passed ✅", true},
		{"of an earlier turn", "Do the tests pass?", edit + "; run_tests", "", "Yes, all tests pass.", false},
		{"of an earlier turn, changed since", fix, "run_tests", edit, "Fixed the crash, and all tests pass.", true},
		{"should pass", fix, "", edit, "Fixed the crash. The tests should pass now.", false},
		{"will pass", fix, "", edit, "Fixed the crash. The tests will pass once the data is there.", false},
		{"a condition", fix, "", edit, "Fixed the crash. If all tests pass on your machine, you can merge it.", false},
		{"advice", fix, "", edit, "Fixed the crash. Please make sure that the tests pass before you merge it.", false},
		{"negated", fix, "", edit + "; run_tests failed", "Fixed the crash, but not all tests pass yet: TestRead fails.", false},
		{"a question", fix, "", edit, "Fixed the crash. Do all tests pass on your side?", false},
		{"the user's words", "All tests pass, but it crashes.", "", edit, "You said that all tests pass, so I looked at the caller and fixed it.", false},
		{"some passed", fix, "", edit + "; run_tests failed", "Fixed the crash. 40 tests passed and 2 failed.", false},
		{"not run", fix, "", edit, "Fixed the crash. I did not run the tests.", false},
		{"what a test is for", "What does this test do?", "", "read_file", "The test passes a nil map to the parser and expects an error.", false},
	})
	runGhosts(t, airline, []turnRow{
		{"somebody else's test", "My speed test works again.", "", "get_trip_details", "Great, the speed test passed!", false},
	})
}
