module github.com/bonafide-go/bonafide/tooltrack/sqltrack

go 1.25.0

require github.com/bonafide-go/bonafide v0.1.0

replace github.com/bonafide-go/bonafide => ../..
