package main

import (
	"embed"
	"io/fs"
	"net/http"
)

// The page needs no build step and asks no other host for anything.
//
//go:embed page
var pageFiles embed.FS

func page() http.Handler {
	files, err := fs.Sub(pageFiles, "page")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return http.FileServerFS(files)
}
