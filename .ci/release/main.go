// Release tags a commit of this repository. All modules are released together, by tags on
// one commit:
//
//	go run -C .ci/release . v0.1.0                  a dry run: look, build, say what would be tagged
//	go run -C .ci/release . -push origin v0.1.0     the same, then tag the commit and push the tags
//
// It looks at the commit, not at the working tree: that is what a tag names. Each module is
// packed as its tag would publish it, must be small, and must build under a stranger's
// package. Examples are run from a clone and have no tag.
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
	flag.StringVar(&r.remote, "push", "", "tag, and push the tags to this remote, such as origin; otherwise nothing is tagged")
	flag.StringVar(&r.branch, "branch", "main", "the remote's branch that must have the commit")
	build := flag.String("build", "", "a new folder to build in, which is kept; otherwise a temporary one")
	flag.Parse()
	r.version = flag.Arg(0)
	if flag.NArg() != 1 {
		log.Fatal("release: which version? go run -C .ci/release . [-push origin] v0.1.0")
	}
	if err := run(&r, *build, os.Stdout); err != nil {
		log.Fatal("release: ", err)
	}
}

func run(r *release, build string, out io.Writer) (err error) {
	modules, err := r.modules()
	if err != nil {
		return err
	}
	faults := r.check(modules)
	if r.remote != "" {
		faults = append(faults, r.checkRemote(modules)...)
	}
	if len(faults) > 0 {
		return fmt.Errorf("%s cannot be released as %s:\n  %s", r.commit, r.version, strings.Join(faults, "\n  "))
	}
	fmt.Fprintf(out, "%d modules require one another at %s, and the CHANGELOG tells of it\n", len(modules), r.version)
	if build == "" {
		// The go command takes a version for immutable, so each run has a folder of its own.
		if build, err = os.MkdirTemp("", "bonafide-release"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(build)) }()
	}
	if err := r.build(modules, build, out); err != nil {
		return err
	}
	return r.publish(modules, out)
}
