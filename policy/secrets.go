package policy

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// secretForms are texts that look like secrets wherever they stand. What a form
// keeps is in its group; the rest of the match is replaced. Each names where
// such texts come from. A form that waits for its end is bounded: otherwise each
// match would cost as much as the text is long.
var secretForms = []struct {
	source  string
	needs   []string // one of these is in every such text, in lower case
	pattern string
}{
	{"a URL with a password that may hold anything", []string{"://"}, `(://)[^/\s?#@:"'<>]{0,100}:[^\s"'<>]+@`},
	{"a URL with user information, RFC 3986", []string{"://"}, `(://)[^/\s?#@]*@`},
	{"the same, percent-encoded", []string{"%3a%2f%2f"}, `(%3A%2F%2F)[^\s&"']*?%40`},
	{"a data source without a scheme: go-sql-driver", []string{"@tcp(", "@unix("},
		`\b([\w.-]{1,64}:)[^\s@/:]+@(?:tcp|unix)\(`},
	{"the same with a host", []string{"@"}, `\b([\w.-]{1,64}:)[^\s@/:"']{4,}@[\w.-]{1,200}(?::\d+)?/`},
	{"a bearer token, RFC 6750", []string{"bearer"}, `\b(bearer(?:\s|%20|\+)+)[\w.~+/=%-]{8,}`},
	{
		source: "an authorization header, RFC 9110",
		needs:  []string{"authorization"},
		pattern: `\b((?:proxy-)?authorization\\*["']?\s*(?:[=:]|%3D|%3A)\s*\\*["']?` +
			`(?:(?:basic|bearer|token|digest|negotiate|apikey)(?:\s|%20)+)?)[^\s"',;\\]+`,
	},
	{
		source: "name=value, name: value, JSON, escaped JSON and query strings",
		needs: []string{
			"key", "token", "secret", "passw", "passphrase", "pwd", "sig", "credential", "cookie", "connection",
		},
		pattern: `(` + secretNames + `\\*["']?\s*(?:[=:]|%3D|%3A)\s*)(?:\\*"[^"\\]*|\\*'[^'\\]*|[^\s&"',;\\]+)`,
	},
	{"options of command lines", []string{" -"},
		`(\s--?(?:password|passwd|token|secret|api-?key|access-?key)[ =])\S+`},
	{"curl -u", []string{" -u"}, `(\s-u\s+[\w.-]+:)\S+`},
	{
		source: "OpenAI, Anthropic, Stripe, GitHub, GitLab, Slack, Shopify, npm, Hugging Face, DigitalOcean, Docker, " +
			"Linear, Notion",
		needs: []string{
			"sk-", "pk-", "rk-", "sk_", "pk_", "rk_", "gho", "ghp", "ghu", "ghs", "ghr", "_pat_", "glpat", "gldt",
			"glrt", "gloas", "glsoat", "glcbt", "glptt", "xox", "xapp-", "shp", "npm_", "pypi-", "hf_", "r8_",
			"_v1_", "lin_api_", "ntn_", "secret_", "whsec_", "sq0", "tfp_", "figd_", "pat_", "nvapi-", "sbp_",
		},
		pattern: `\b()(?:(?:` + keyPrefixes + `)[\w.-]{12,}|(?:` + wordyPrefixes + `)[\w.-]{30,})`,
	},
	{"Google: API keys and OAuth tokens", []string{"aiza", "ya29.", "1//", "gocspx-"},
		`\b()(?:AIza[\w-]{20,}|ya29\.[\w-]{12,}|1//[\w-]{20,}|GOCSPX-[\w-]{12,})`},
	{"AWS access key ids", []string{"akia", "asia", "abia", "acca"}, `(?-i:\b()(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,})`},
	{"SendGrid, Mailgun, age", []string{"sg.", "key-", "age-secret"},
		`\b()(?:SG\.[\w-]{16,64}\.[\w-]{16,}|key-[0-9a-f]{32}|AGE-SECRET-KEY-1\w+)`},
	{"JSON Web Tokens, RFC 7519", []string{"eyj"}, `()eyJ[\w-]{13,}(?:\.[\w-]+)*`},
	{"private keys, RFC 7468", []string{"private key"},
		`()-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`},
}

// secretNames are the names of values that are secrets: any that ends in one of
// these words.
const secretNames = `(?:(?:[_-]|api|access|private|account|shared|storage|encryption|signing|subscription|\b)key|` +
	`token|secret|password|passwd|passphrase|pwd|signature|\bsig|credentials?|cookie|passwort|connection_?string)`

// keyPrefixes are how the keys of well-known services begin, and wordyPrefixes
// those that a name in a program may begin with as well: what follows them must
// be longer than a name is.
const (
	keyPrefixes = `[spr]k[-_]|gh[opusr][-_]|github_pat_|gl(?:pat|dt|rt|oas|soat|cbt|ptt)-|xox[abeoprs]-|xapp-|` +
		`shp(?:at|ca|pa|ss)_|do[op]_v1_|dckr_pat_|lin_api_|whsec_|sq0(?:atp|csp)-|nvapi-`
	wordyPrefixes = `npm_|pypi-|hf_|gsk_|r8_|ntn_|secret_|tfp_|figd_|pat_|sbp_`
)

// secrets are compiled when a text may hold one.
var secrets = sync.OnceValue(func() (compiled []*regexp.Regexp) {
	for _, form := range secretForms {
		compiled = append(compiled, regexp.MustCompile("(?i)"+form.pattern))
	}
	return compiled
})

// HideSecrets replaces what looks like a secret in a text.
func HideSecrets(text string) string {
	lower := strings.ToLower(text)
	holds := func(piece string) bool { return strings.Contains(lower, piece) }
	for i, form := range secretForms {
		if slices.ContainsFunc(form.needs, holds) {
			text = secrets()[i].ReplaceAllString(text, "${1}"+redacted)
		}
	}
	return text
}
