package transcripts

import _ "embed"

// What the subcommands say of themselves.
var (
	//go:embed usage/transcripts.txt
	usage string
	//go:embed usage/intent-examples.txt
	examplesUsage string
	//go:embed usage/stop-hook.txt
	stopHookUsage string
)
