# The race detector, over the packages that many goroutines share. Tests that read
# thousands of turns one after the other have nothing for it to find, and leave themselves
# out. All packages: .ci/nightly/10-race.sh

go test -race -short ./tooltrack ./guard ./guard/chatwire ./policy ./resolver ./intent ./completion
