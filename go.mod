module github.com/bonafide-go/bonafide

go 1.25.0

require (
	github.com/agnivade/levenshtein v1.2.2
	github.com/google/uuid v1.6.0
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	golang.org/x/net v0.58.0
	golang.org/x/text v0.41.0
	golang.org/x/time v0.15.0
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect

require github.com/stretchr/testify v1.12.1
