//go:build race

package transcripts

// raceEnabled relaxes limits of time: the race detector takes most of it.
const raceEnabled = true
