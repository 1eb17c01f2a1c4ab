module github.com/bonafide-go/bonafide/guard/openaiguard

go 1.25.0

require (
	github.com/bonafide-go/bonafide v0.1.0
	github.com/openai/openai-go/v3 v3.44.0
)

require (
	github.com/agnivade/levenshtein v1.2.2 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/tidwall/gjson v1.18.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
	golang.org/x/net v0.58.0 // indirect
	golang.org/x/text v0.41.0 // indirect
	golang.org/x/time v0.15.0 // indirect
)

replace github.com/bonafide-go/bonafide => ../..
