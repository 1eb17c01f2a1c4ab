module github.com/bonafide-go/bonafide/.ci/weight

go 1.25.0
