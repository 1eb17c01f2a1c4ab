// Pack writes the modules of the repository into a folder that the go command
// can use as a proxy, the way a release would publish them.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	log.SetFlags(0)
	repository := flag.String("repository", ".", "the repository's folder")
	version := flag.String("version", "v0.1.0", "the version to publish")
	proxy := flag.String("proxy", "", "the folder to write")
	flag.Parse()
	if err := pack(*repository, *version, *proxy); err != nil {
		log.Fatal("pack: ", err)
	}
}

// pack publishes every module that the workspace names, except the examples,
// which are run from a clone.
func pack(repository, version, proxy string) error {
	data, err := os.ReadFile(filepath.Join(repository, "go.work"))
	if err != nil {
		return err
	}
	work, err := modfile.ParseWork("go.work", data, nil)
	if err != nil {
		return err
	}
	var published []string
	for _, use := range work.Use {
		if use.Path == "./examples" || strings.HasPrefix(use.Path, "./examples/") {
			continue
		}
		path, err := publish(filepath.Join(repository, use.Path), version, proxy)
		if err != nil {
			return fmt.Errorf("%s: %w", use.Path, err)
		}
		published = append(published, path)
	}
	return os.WriteFile(filepath.Join(proxy, "modules"), []byte(strings.Join(published, "\n")+"\n"), 0o644)
}

func publish(folder, version, proxy string) (path string, err error) {
	mod, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		return "", err
	}
	path = modfile.ModulePath(mod)
	escaped, err := module.EscapePath(path)
	if err != nil {
		return "", err
	}
	target := filepath.Join(proxy, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(target, 0o755); err != nil {
		return "", err
	}
	info, err := json.Marshal(map[string]any{"Version": version, "Time": time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return "", err
	}
	archive, err := os.Create(filepath.Join(target, version+".zip"))
	if err != nil {
		return "", err
	}
	return path, errors.Join(
		zip.CreateFromDir(archive, module.Version{Path: path, Version: version}, folder),
		archive.Close(),
		os.WriteFile(filepath.Join(target, version+".mod"), mod, 0o644),
		os.WriteFile(filepath.Join(target, version+".info"), info, 0o644),
		os.WriteFile(filepath.Join(target, "list"), []byte(version+"\n"), 0o644),
	)
}
