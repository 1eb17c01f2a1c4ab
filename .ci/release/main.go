// Release says whether a commit can be released under a version, and tags it if
// it is told to. All modules of the repository are released together:
//
//	go run -C .ci/release . -version v0.1.0                look, and say what is wrong
//	go run -C .ci/release . -version v0.1.0 -build DIR     … and build a stranger's program against each module
//	go run -C .ci/release . -version v0.1.0 -build DIR -tag
//
// DIR is a new folder, as mktemp -d makes it: the go command takes a version for
// immutable, and remembers what it has seen of it under a path. It looks at the
// commit, not at the working tree: that is what a tag names.
// Examples are run from a clone and have no tag.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
)

func main() {
	log.SetFlags(0)
	var r release
	flag.StringVar(&r.repository, "repository", "../..", "the repository's folder")
	flag.StringVar(&r.commit, "commit", "HEAD", "the commit to release")
	flag.StringVar(&r.version, "version", "", "the version, such as v0.1.0")
	build := flag.String("build", "", "a new folder to build in")
	tag := flag.Bool("tag", false, "tag the commit; nothing is pushed")
	flag.Parse()
	if err := run(&r, *build, *tag, os.Stdout); err != nil {
		log.Fatal("release: ", err)
	}
}

func run(r *release, build string, tag bool, out io.Writer) error {
	if tag && build == "" {
		return errors.New("-tag needs -build: what was not built is not tagged")
	}
	modules, err := r.modules()
	if err != nil {
		return err
	}
	if faults := r.check(modules, tag); len(faults) > 0 {
		return fmt.Errorf("%s cannot be released as %s:\n  %s", r.commit, r.version, strings.Join(faults, "\n  "))
	}
	fmt.Fprintf(out, "%d modules require one another at %s, and the CHANGELOG tells of it\n", len(modules), r.version)
	if build != "" {
		if err := r.build(modules, build, out); err != nil {
			return err
		}
	}
	for _, m := range modules {
		name := m.tag(r.version)
		if !tag {
			fmt.Fprintln(out, "git tag", name, r.commit)
			continue
		}
		if _, err := r.git("tag", name, r.commit); err != nil {
			return err
		}
		fmt.Fprintln(out, "tagged", name)
	}
	return nil
}
