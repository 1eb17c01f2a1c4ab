package transcripts

import "io"

func writePage(out io.Writer, report *Report, kept *keeper, settings *settings) error { return nil }
