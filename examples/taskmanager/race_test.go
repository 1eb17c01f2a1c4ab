//go:build race

package main

// raceEnabled relaxes limits of time, and shortens tables: the race detector takes
// most of the time.
const raceEnabled = true
