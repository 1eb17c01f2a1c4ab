//go:build !race

package tooltrack_test

const raceEnabled = false
