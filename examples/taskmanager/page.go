package main

import "embed"

// The page needs no build step and asks no other host for anything.
//
//go:embed page
var pageFiles embed.FS
