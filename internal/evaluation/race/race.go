//go:build race

// Package race says whether the race detector runs: tests that judge thousands of turns one
// after the other leave it nothing to find.
package race

// Enabled is true under the race detector.
const Enabled = true
