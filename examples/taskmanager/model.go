package main

import (
	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/guard"
)

// startModel returns the real model of a name, or for "sim" the simulated one with a
// behaviour and options, and what ends it.
func startModel(
	name string, behaviour simmodel.Behaviour, options *simmodel.Options,
) (modelSource, func() error, error) {
	if name == "sim" {
		name = ""
	}
	source, err := stage.Open(name, behaviour, options)
	if err != nil {
		return nil, nil, err
	}
	return func(message string, faults simmodel.Faults) guard.Model { return source.Model(message, faults...) },
		source.Close, nil
}
