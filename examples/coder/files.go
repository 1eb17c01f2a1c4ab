package main

import (
	_ "embed"
	"strings"
)

var (
	//go:embed calc.txtar
	calcArchive string
	//go:embed edits.txtar
	editsArchive string
	//go:embed healthy.txtar
	healthyArchive string
	//go:embed rates.txtar
	ratesArchive string
	//go:embed shop.txtar
	shopArchive string

	edits   = filesIn(editsArchive)   // what the simulated model writes
	calc    = filesIn(calcArchive)    // a module with a bug and a test that finds it
	healthy = filesIn(healthyArchive) // the same module without the bug
	shop    = filesIn(shopArchive)    // a module with two functions that do the same
	rates   = filesIn(ratesArchive)   // a module whose test needs a credential that is not there
)

// filesIn reads an archive of files by their names: each follows a line such as
// "-- calc.go --".
func filesIn(archive string) map[string]string {
	files, name := map[string]string{}, ""
	for line := range strings.Lines(archive) {
		if inner, is := strings.CutPrefix(strings.TrimSpace(line), "-- "); is && strings.HasSuffix(inner, " --") {
			name = strings.TrimSuffix(inner, " --")
			continue
		}
		files[name] += line
	}
	return files
}
