package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// checkRemote says what is wrong at the place where the tags would go, and with the tree
// that they would be made from.
func (r *release) checkRemote(modules []*published) (faults []string) {
	if changed, err := r.git("status", "--porcelain"); err != nil || len(changed) > 0 {
		faults = append(faults, "the working tree has changes that no tag would have; commit or stash them")
	}
	if _, err := r.git("fetch", "--quiet", r.remote, r.branch); err != nil {
		return append(faults, err.Error())
	}
	if _, err := r.git("merge-base", "--is-ancestor", r.commit, "FETCH_HEAD"); err != nil {
		faults = append(faults, fmt.Sprintf("%s is not on %s of %s; push it first", r.commit, r.branch, r.remote))
	}
	known, err := r.git("ls-remote", "--tags", r.remote)
	if err != nil {
		return append(faults, err.Error())
	}
	for _, m := range modules {
		if name := m.tag(r.version); strings.Contains(string(known), "refs/tags/"+name+"\n") {
			faults = append(faults, fmt.Sprintf("%s has the tag %s already; a version is released once", r.remote, name))
		}
	}
	return faults
}

// publish tags the commit and pushes all tags in one step, or says what it would do. A push
// that fails leaves no tag behind, so that it can be tried again.
func (r *release) publish(modules []*published, out io.Writer) error {
	var names []string
	for _, m := range modules {
		names = append(names, m.tag(r.version))
	}
	if r.remote == "" {
		fmt.Fprintf(out, "nothing was tagged; with -push origin it would be %s\n", strings.Join(names, " "))
		return nil
	}
	for i, name := range names {
		if _, err := r.git("tag", "-a", "-m", "Bonafide "+r.version, name, r.commit); err != nil {
			return errors.Join(err, r.untag(names[:i]))
		}
	}
	if _, err := r.git(append([]string{"push", "--atomic", "--quiet", r.remote}, names...)...); err != nil {
		return errors.Join(err, r.untag(names))
	}
	fmt.Fprintf(out, "tagged %s, and pushed to %s: %s\n", r.commit, r.remote, strings.Join(names, " "))
	return nil
}

func (r *release) untag(names []string) error {
	if len(names) == 0 {
		return nil
	}
	_, err := r.git(append([]string{"tag", "--delete"}, names...)...)
	return err
}
