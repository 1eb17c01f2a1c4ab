//go:build race

package chatwiretest

const raceEnabled = true
