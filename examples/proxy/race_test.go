//go:build race

package main

// raceEnabled relaxes limits of time: the race detector takes most of it.
const raceEnabled = true
