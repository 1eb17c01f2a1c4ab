module github.com/bonafide-go/bonafide/.ci/mutants

go 1.25.0
