//go:build !race

package sqltrack_test

const raceEnabled = false
