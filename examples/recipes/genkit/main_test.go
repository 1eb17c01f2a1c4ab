package main

import (
	"testing"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play/playtest"
)

func TestScenes(t *testing.T)  { playtest.Run(t, build) }
func TestPrinted(t *testing.T) { playtest.Printed(t, build) }
func TestAgain(t *testing.T)   { playtest.Again(t, build) }
