package tooltrack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Grant is a standing approval: calls of a tool that would be held run without asking,
// within its bounds. The policy's denials and rates still apply to them.
type Grant struct {
	// ID is given by [Ledger.Grant].
	ID string `json:"id"`
	// Owner is whose calls it is for, and Tool the tool.
	Owner string `json:"owner"`
	Tool  string `json:"tool"`
	// Arg names a number among the arguments that may be at most UpTo. Empty: any arguments.
	Arg  string      `json:"arg,omitempty"`
	UpTo json.Number `json:"up_to,omitempty"`
	// Until is when it ends, by the store's clock, and MaxUses how often it may be
	// used; zero is without limit.
	Until   time.Time `json:"until,omitzero"`
	MaxUses int       `json:"max_uses,omitempty"`
	// By is who gave it; it is needed, and comes from the host. Reason says why.
	By     string `json:"by"`
	Reason string `json:"reason,omitempty"`
	// Made is when it was given, Uses how often it was used, and Revoked when it was taken back.
	Made    time.Time `json:"made"`
	Uses    int       `json:"uses"`
	Revoked time.Time `json:"revoked,omitzero"`
}

const kindGrant = "grant"

// ErrNoGrant is returned for an id that is not one of this owner's grants.
var ErrNoGrant = errors.New("there is no such grant for this owner; ask for the list of grants")

// Grant stores a standing approval and returns it with its id.
func (l *Ledger) Grant(ctx context.Context, grant Grant) (Grant, error) {
	if err := grant.check(l.separateApprover); err != nil {
		return Grant{}, err
	}
	err := l.atomically(ctx, grant.Owner, func(desk Desk, now time.Time) error {
		grant.ID, grant.Made, grant.Uses, grant.Revoked = "gr_"+uuid.NewString(), now, 0, time.Time{}
		return putGrant(desk, &grant)
	})
	return grant, err
}

func (g *Grant) check(separateApprover bool) error {
	_, isNumber := new(big.Rat).SetString(string(g.UpTo))
	switch {
	case strings.TrimSpace(g.By) == "":
		return errors.New("Grant.By is empty; set it to the person who is logged in")
	case separateApprover && g.By == g.Owner:
		return ErrSelfApproval
	case g.Tool == "":
		return errors.New("Grant.Tool is empty; name the tool that may run")
	case g.MaxUses < 0:
		return fmt.Errorf("Grant.MaxUses is %d; use 0 for no limit", g.MaxUses)
	case (g.Arg == "") != (g.UpTo == "") || g.UpTo != "" && !isNumber:
		return errors.New("Grant.Arg and Grant.UpTo go together; name the argument and the largest number that it may be")
	}
	return errors.Join(checkName("Grant.By", g.By), checkReason("Grant.Reason", g.Reason))
}

// Grants returns the grants of an owner, ended ones included, the oldest first.
func (l *Ledger) Grants(ctx context.Context, owner string) ([]Grant, error) {
	documents, _, err := l.documents(ctx, DocumentQuery{Scope: Scope{Owner: owner}, Kind: kindGrant})
	if err != nil {
		return nil, err
	}
	return readAll[Grant](documents)
}

// Revoke ends a grant. Calls that it let run are not concerned.
func (l *Ledger) Revoke(ctx context.Context, owner, id string) error {
	return l.atomically(ctx, owner, func(desk Desk, now time.Time) error {
		_, err := changeGrant(desk, DocumentQuery{Kind: kindGrant, ID: id}, func(grant *Grant) bool {
			if grant.Revoked.IsZero() {
				grant.Revoked = now
			}
			return id != ""
		}, ErrNoGrant)
		return err
	})
}

// UseGrant counts one use of a grant that covers the call, and returns it; nil if none does. It
// is counted before the call runs, so that a crash costs a use and never gives one.
func (l *Ledger) UseGrant(ctx context.Context, owner string, call Call) (used *Grant, err error) {
	err = l.atomically(ctx, owner, func(desk Desk, now time.Time) (err error) {
		used, err = changeGrant(desk, DocumentQuery{Kind: kindGrant, OnlyOpen: true}, func(grant *Grant) bool {
			fits := grant.canCover(call, now)
			grant.Uses++
			return fits
		}, nil)
		return err
	})
	return used, err
}

// changeGrant changes the first grant that fits.
func changeGrant(desk Desk, query DocumentQuery, change func(*Grant) (fits bool), missing error) (*Grant, error) {
	documents, err := desk.Documents(query)
	if err != nil {
		return nil, err
	}
	grants, err := readAll[Grant](documents)
	if err != nil {
		return nil, err
	}
	for i := range grants {
		if change(&grants[i]) {
			return &grants[i], putGrant(desk, &grants[i])
		}
	}
	return nil, missing
}

// canCover reports whether a call is within the grant's bounds. An amount that is
// missing, or is no plain number, is not.
func (g *Grant) canCover(call Call, now time.Time) bool {
	switch {
	case g.Tool != call.Tool, !g.isOpen(), !g.Until.IsZero() && !now.Before(g.Until):
		return false
	case g.Arg == "":
		return true
	}
	const longest = 40 // digits: an exponent could name a number that fills the memory
	limit, _ := new(big.Rat).SetString(string(g.UpTo))
	value := jsonspan.Member(call.Args, g.Arg)
	number, known := new(big.Rat).SetString(string(value[:min(len(value), longest+1)]))
	return known && len(value) <= longest && limit != nil && number.Sign() >= 0 && number.Cmp(limit) <= 0
}

func (g *Grant) isOpen() bool { return g.Revoked.IsZero() && (g.MaxUses == 0 || g.Uses < g.MaxUses) }

func putGrant(desk Desk, grant *Grant) error {
	return putOn(desk, Document{
		Kind: kindGrant, ID: grant.ID, Scope: Scope{Owner: grant.Owner}, Open: grant.isOpen(),
	}, grant)
}
