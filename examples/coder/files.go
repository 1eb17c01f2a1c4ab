package main

import (
	_ "embed"

	"github.com/bonafide-go/bonafide/examples/internal/stage"
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

	edits   = stage.Files(editsArchive)   // what the simulated model writes
	calc    = stage.Files(calcArchive)    // a module with a bug and a test that finds it
	healthy = stage.Files(healthyArchive) // the same module without the bug
	shop    = stage.Files(shopArchive)    // a module with two functions that do the same
	rates   = stage.Files(ratesArchive)   // a module whose test needs a credential that is not there
)
