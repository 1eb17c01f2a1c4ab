//go:build !race

package transcripts

const raceEnabled = false
