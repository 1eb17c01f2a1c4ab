# What the library weighs, by room, and types that nobody can hold: each below its ceiling.

go vet -C .ci/weight .
go test -C .ci/weight .
go run -C .ci/weight .
