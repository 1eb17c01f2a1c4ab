package main

import (
	"math"

	"github.com/bonafide-go/bonafide/examples/internal/byset"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// guardsFor makes a guard for each set of tools once: thousands of cases share
// one. Arguments are not judged here, so schemas that are broken do not matter.
func guardsFor(options *guard.Options) *byset.Cache[*guard.Guard] {
	build := func(_ byset.Key, tools []tooltrack.Tool) (*guard.Guard, error) {
		if len(tools) == 0 { // a log may hold none, and the text is judged all the same
			tools = []tooltrack.Tool{{Name: "none", Effect: tooltrack.Reads}}
		}
		return guard.New(tools, options)
	}
	return &byset.Cache[*guard.Guard]{Most: math.MaxInt, Make: build}
}

// byGuard answers each case by the guard of its tools.
func byGuard[T interface{ offered() []tooltrack.Tool }](
	options *guard.Options, answer func(T, *guard.Guard) (any, error),
) answerer {
	guards := guardsFor(options)
	return func(line []byte) (any, error) {
		asked, err := decode[T](line)
		if err != nil {
			return nil, err
		}
		g, err := guards.Of(asked.offered())
		if err != nil {
			return nil, err
		}
		return answer(asked, g)
	}
}
