//go:build !race

package openaiguard_test

const raceEnabled = false
