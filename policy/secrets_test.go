package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/benchbound"
)

// hidden is what must not be seen. Where a form asks for its own letters, it
// stands inside them.
const hidden = "Canary4711canaryCanary4711canary"

func TestSecretsAreHidden(t *testing.T) {
	for _, text := range []string{
		"dial postgres://ann:" + hidden + "@db:5432/x?sslmode=disable: refused",
		"dial postgres://ann:p@ss/" + hidden + "@db:5432/x: refused",
		"redis://:" + hidden + "@cache:6379/0", "amqp://guest:" + hidden + "@mq/", "mongodb+srv://u:" + hidden + "@c.example.net/?w=1",
		"https://" + hidden + "@github.com/x.git", "clone of https%3A%2F%2Fann%3A" + hidden + "%40host%2Fx failed",
		"cannot connect to root:" + hidden + "@tcp(db:3306)/x", "cannot connect to root:" + hidden + "@db.example.com:3306/x",
		"host=db user=ann password=" + hidden + " dbname=x", "Server=db;Uid=sa;Pwd=" + hidden + ";", "password='" + hidden + " with space'",
		"AccountName=x;AccountKey=" + hidden + "==;EndpointSuffix=core", "SharedAccessKey=" + hidden, "Ocp-Apim-Subscription-Key: " + hidden,
		"GET /cb?access_token=" + hidden + "&x=1", "GET /cb?next=%2F%3Faccess_token%3D" + hidden, "https://x/?X-Amz-Signature=" + hidden, "?sv=1&sig=" + hidden,
		"Authorization: Bearer " + hidden, "authorization=Basic " + hidden, `{"Authorization":"` + hidden + `"}`, `{\"authorization\":\"Token ` + hidden + `\"}`,
		"Bearer%20" + hidden, "X-Api-Key: " + hidden, "x-auth-token: " + hidden, "Set-Cookie: sid=" + hidden + "; Path=/",
		`{"api_key":"` + hidden + `"}`, `{\"client_secret\":\"` + hidden + `\"}`, `'refresh_token': '` + hidden + `'`, "apiKey=" + hidden, "SECRET_KEY=" + hidden,
		"mysql --password=" + hidden + " -h db", "psql --password " + hidden, "curl -u ann:" + hidden + " https://x",
		"incorrect API key provided: sk-" + hidden, "sk-ant-api03-" + hidden, "sk_live_" + hidden, "token ghp_" + hidden, "github_pat_" + hidden, "glpat-" + hidden,
		"xoxb-" + hidden, "xapp-1-" + hidden, "npm_" + hidden, "hf_" + hidden, "shpat_" + hidden, "dckr_pat_" + hidden, "pypi-" + hidden, "whsec_" + hidden, "gsk_" + hidden,
		"key AIza" + hidden + " is not valid", "ya29." + hidden, "GOCSPX-" + hidden, "SG." + hidden + "." + hidden,
		"eyJ" + hidden + "." + hidden + "." + hidden, "-----BEGIN OPENSSH PRIVATE KEY-----\n" + hidden + "\n-----END OPENSSH PRIVATE KEY-----",
		strings.Repeat("x ", 40_000) + "password=" + hidden,
	} {
		require.NotContains(t, HideSecrets(text), hidden, "%.200s", text)
	}
	require.Equal(t, "AKIA is told as [redacted], [redacted] too", HideSecrets("AKIA is told as AKIAIOSFODNN7EXAMPLE, ASIAIOSFODNN7EXAMPLE too"))
}

func TestOrdinaryTextStays(t *testing.T) {
	for _, text := range []string{
		"I deleted Read book.", "https://medium.com/@ann/a-post", "https://example.com:8080/path?x=1", "mail ann@example.com", "the key to success", "max_tokens: 5 were used",
		"secretary: Ann", "Keyboard: black", "at 12:30@home", "sk-8 is a skateboard", "pk_1", "git@github.com:org/repo.git", "3:1 ratio", "a/b@c",
		"the bearer of news", "author: Ann", "npm_install_package failed", "secret_santa_draw_names is not a tool", "Asiatische Elefanten, Asiapacificregion", "[redacted]", "tokens per second: 5", "passwords are needed",
	} {
		require.Equal(t, text, HideSecrets(text))
	}
}

// BenchmarkGrowthOfHiding: however long a text is, it is read in one go.
func BenchmarkGrowthOfHiding(b *testing.B) {
	for _, piece := range []string{"://a:", "token=", "bearer ", "-----BEGIN PRIVATE KEY-----", "eyJaaaaaaaaa.", "x@", "\\\"password"} {
		hide := func(size int) func() {
			text := strings.Repeat(piece, size/len(piece))
			return func() { _ = HideSecrets(text) }
		}
		b.Run(fmt.Sprintf("%q", piece), func(b *testing.B) { benchbound.Ratio(b, 10, hide(200_000), hide(50_000)) })
	}
}
