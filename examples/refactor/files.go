package main

import (
	_ "embed"

	"github.com/bonafide-go/bonafide/examples/internal/stage"
)

var (
	//go:embed shop.txtar
	shopArchive string
	//go:embed merged.txtar
	mergedArchive string

	shop   = stage.Files(shopArchive)                       // a module with a finding of each kind in it
	merged = stage.Files(mergedArchive)["pricing/total.go"] // one file in the place of two
)

var findings = struct{ duplicate, integration, complexity finding }{
	finding{"F1", duplicate, []string{"pricing/total.go", "pricing/sum.go"}, "Total and Sum look alike."},
	finding{"F2", integration, []string{"orders/key.go", "store/key.go"}, "two packages name the same order differently."},
	finding{"F3", complexity, []string{"report/render.go"}, "Label is hard to follow."},
}
