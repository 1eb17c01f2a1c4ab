package main

import (
	"crypto/rand"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/bonafide-go/bonafide/examples/internal/serving"
)

// tokens checks and mints bearer tokens: JWT, signed with HS256. The subject is the user.
type tokens struct {
	secret []byte
	parser *jwt.Parser
}

// secretLength is the least that HS256 asks for, in bytes.
const secretLength = 32

func newTokens(secret []byte) (*tokens, error) {
	if len(secret) < secretLength {
		return nil, errors.New("the secret for tokens is too short; give at least 32 bytes in TASKMANAGER_JWT_SECRET, or " +
			"use serve -dev")
	}
	// Naming the one method keeps out "none" and keys of another kind.
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"HS256"}), jwt.WithExpirationRequired(),
		jwt.WithLeeway(30*time.Second))
	return &tokens{secret, parser}, nil
}

// randomSecret is for tokens that live as long as this process.
func randomSecret() []byte {
	secret := make([]byte, secretLength)
	_, _ = rand.Read(secret) // it never fails: see crypto/rand
	return secret
}

func (t *tokens) mint(user string, lifetime time.Duration) (string, error) {
	now := time.Now()
	return jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.RegisteredClaims{
		Subject: user, IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(lifetime)),
	}).SignedString(t.secret)
}

// check finds out whether the request may act for the user in its path.
func (t *tokens) check(r *http.Request, user string) *problem {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return newProblem(http.StatusUnauthorized, "send a bearer token")
	}
	var claims jwt.RegisteredClaims
	if _, err := t.parser.ParseWithClaims(strings.TrimSpace(token), &claims,
		func(*jwt.Token) (any, error) { return t.secret, nil }); err != nil {
		return newProblem(http.StatusUnauthorized, "the token is not valid")
	}
	if claims.Subject == "" || claims.Subject != user {
		return newProblem(http.StatusForbidden, "the token belongs to another user")
	}
	return nil
}

// local reports whether a request comes from this machine and means this machine.
func local(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	return err == nil && serving.Loopback(host) && serving.Local(r) && r.Header.Get("Sec-Fetch-Site") != "cross-site"
}
