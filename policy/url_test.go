package policy

import (
	"net/netip"
	"strings"
	"testing"
)

func TestURLs(t *testing.T) {
	allowed := []string{
		// S1
		"http://example.com", "https://example.com/", "HTTP://EXAMPLE.COM/", "hTTps://Example.com/",
		// S2
		"https://example.com?x=1", "https://example.com#top", "https://example.com/a/b?c=d&e=f#g",
		"https://foo_bar.example.com/", "https://_dmarc.example.com/", "https://example.com./", "https://example.com/ü",
		"https://example.com/%20%00", "https://example.com/%zz", "https://r3---sn-abc.example.com/", "https://a-.example.com/",
		"https://" + strings.Repeat("a", 63) + ".example.com/", "https://example.com//double", "https://example.com/'\"<>|{}^`",
		// S3: an at sign behind the authority
		"https://example.com/@user", "https://example.com/?q=a@b", "https://example.com?q=a@b", "https://example.com#@x", "https://example.com/http://user@localhost/",
		// S4: the edges of the reserved ranges, and public addresses
		"http://1.1.1.1/", "http://8.8.8.8:53/", "http://9.255.255.255/", "http://11.0.0.0/", "http://100.63.255.255/", "http://100.128.0.0/",
		"http://126.255.255.255/", "http://128.0.0.0/", "http://169.253.255.255/", "http://169.255.0.0/", "http://172.15.255.255/", "http://172.32.0.0/",
		"http://192.0.1.0/", "http://192.0.3.0/", "http://192.167.255.255/", "http://192.169.0.0/", "http://198.17.255.255/", "http://198.20.0.0/",
		"http://198.51.99.255/", "http://198.51.101.0/", "http://203.0.112.255/", "http://203.0.114.0/", "http://223.255.255.255/",
		"http://168.63.129.15/", "http://168.63.129.17/", "http://192.0.0.9/", "http://192.0.0.10/", "http://1.0.0.0/",
		"http://[2606:4700:4700::1111]/", "http://[2001:4860:4860::8888]:443/", "http://[2A00:1450::1]/", "http://[2001:200::1]/", "http://[2001:db7::1]/", "http://[2001:db9::1]/",
		"http://[3ffe::1]/", "http://[2620:4f:8000::1]/", "http://[2001:4:112::1]/",
		"http://[::ffff:8.8.8.8]/", "http://[::ffff:808:808]/", "http://[64:ff9b::8.8.8.8]/", "http://[2002:808:808::1]/",
		// S5: a number that is not last, and a trailing dot
		"http://123.com/", "http://1.2.3.4.example.com/", "http://8.8.8.8./", "http://0x7f.example.com/", "http://127.0.0.1.nip.io/", "http://1e3.com/", "http://foo.0xyz/",
		// S6: only the suffix counts
		"http://localhost.example.com/", "http://local.example.com/", "http://internal.example.com/", "http://mylocalhost.com/", "http://notlocal.net/", "http://home.arpa.example.com/", "http://x.localhosts/", "http://foo.notinternal/",
		// S7
		"http://bücher.example/", "http://例え.テスト/", "http://xn--bcher-kva.example/", "http://BÜCHER.example/", "http://faß.example/", "http://☕.example/", "http://xn--53h.example/", "http://пример.испытание/", "http://ｅxample.com/", "http://example。com/", "http://مثال.إختبار/",
		// S9
		"http://example.com:1/", "http://example.com:65535/", "http://example.com:080/", "http://example.com:8080?x", "http://example.com:/",
	}
	refused := []string{
		// S1
		"", "ftp://example.com/", "file:///etc/passwd", "gopher://example.com/", "javascript:alert(1)", "data:text/html,x", "dict://example.com:11211/", "ws://example.com/", "httpx://example.com", "http+unix://example.com/", "view-source:http://example.com", "jar:http://example.com!/",
		// S2
		"example.com", "/path", "//example.com/", "http:example.com", "http:/example.com", "http:///example.com", "http://", "https://?x", "https://#x", "https:///", "http://:80/",
		"http://.example.com/", "http://example..com/", "http://example.com../", "http://./", "http://../",
		" http://example.com/", "http://example.com/ ", "http://example.com/a b", "http://exa mple.com/", "http://example.com/\t", "http://example.com/\n", "http://example.com/\r\nHost: x", "http://example.com/\x00", "http://example.com/\x7f", "http://example.com/\u0085", "http://example.com/\u00a0", "http://example.com/\u2028", "http://example.com/\u3000x", "ht\ntp://example.com/", "\u00a0http://example.com/",
		`http://example.com\@127.0.0.1/`, `http://127.0.0.1\@example.com/`, `http:\\example.com\`, `http://example.com/a\b`, `http:/\example.com/`,
		"http://" + strings.Repeat("a", 64) + ".example.com/", "http://" + strings.Repeat("a.", 130) + "com/",
		"http://exa$mple.com/", "http://exa,mple.com/", "http://exa*mple.com/", "http://example.com;x/", "http://<script>.com/", "http://exa^mple.com/", "http://exa|mple.com/", "http://(example).com/", "http://\xff.com/", "http://example.com/\xff",
		"https://example.com/" + strings.Repeat("x", maxURL),
		// S3
		"http://user@example.com/", "http://user:pass@example.com/", "http://@example.com/", "http://:@example.com/", "http://example.com@127.0.0.1/", "http://example.com:80@127.0.0.1/", "http://a@b@example.com/", "http://[::1]@example.com/",
		// S4
		"http://0.0.0.0/", "http://0.1.2.3/", "http://10.0.0.0/", "http://10.255.255.255/", "http://100.64.0.0/", "http://100.127.255.255/", "http://100.100.100.200/", "http://127.0.0.1/", "http://127.255.255.255/", "http://169.254.0.0/", "http://169.254.169.254/", "http://169.254.255.255/", "http://172.16.0.0/", "http://172.31.255.255/",
		"http://192.0.0.0/", "http://192.0.0.8/", "http://192.0.0.170/", "http://192.0.0.192/", "http://192.0.2.1/", "http://192.88.99.1/", "http://192.168.0.0/", "http://192.168.255.255/", "http://198.18.0.0/", "http://198.19.255.255/", "http://198.51.100.7/", "http://203.0.113.7/", "http://224.0.0.1/", "http://239.255.255.255/", "http://240.0.0.1/", "http://255.255.255.255/",
		"http://168.63.129.16/", "http://[::ffff:168.63.129.16]/", "http://[64:ff9b::168.63.129.16]/",
		"http://[::]/", "http://[::1]/", "http://[0:0:0:0:0:0:0:1]/", "http://[::1]:8080/", "http://[fe80::1]/", "http://[febf::1]/", "http://[fc00::1]/", "http://[fdff::1]/", "http://[fd00:ec2::254]/", "http://[fec0::1]/", "http://[ff02::1]/", "http://[2001:db8::1]/", "http://[3fff::1]/", "http://[3fff:fff:ffff::1]/", "http://[5f00::1]/", "http://[100::1]/", "http://[100:0:0:1::1]/", "http://[2001:2::1]/", "http://[2001:10::1]/", "http://[4000::1]/", "http://[1::1]/", "http://[8000::1]/",
		"http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[::ffff:10.0.0.1]/", "http://[::ffff:169.254.169.254]/", "http://[::127.0.0.1]/", "http://[::7f00:1]/", "http://[::10.0.0.1]/", "http://[64:ff9b::127.0.0.1]/", "http://[64:ff9b::c0a8:101]/", "http://[64:ff9b:1::8.8.8.8]/", "http://[64:ff9b:1:ffff::1]/", "http://[2002:7f00:1::]/", "http://[2002:a00:1::]/", "http://[2002:a9fe:a9fe::1]/",
		"http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/", "http://[2001:0:a00:1:0:0:f7f7:f7f7]/", "http://[::ffff:0:127.0.0.1]/",
		"http://[fe80::1%25eth0]/", "http://[2606:4700::1%25eth0]/", "http://[2606:4700::1%eth0]/", "http://[127.0.0.1]/", "http://[]/", "http://[::1", "http://[2606:4700::1]x/", "http://[2606:4700::1]:x/", "http://[v1.x]/", "http://[2606:4700:::1]/", "http://2606:4700::1/", "http://[[::1]]/", "http://[example.com]/", "http://[2606:4700::1]]/", "http://::1/",
		// S5
		"http://127.1/", "http://2130706433/", "http://0x7f000001/", "http://017700000001/", "http://0177.0.0.1/", "http://0x7f.0.0.1/", "http://0xa9.0xfe.0xa9.0xfe/", "http://127.0.0.01/", "http://08.8.8.8/", "http://8.8.8/", "http://134744072/", "http://256.1.1.1/", "http://1.2.3.4.5/", "http://foo.0x7f/", "http://foo.0X7F/", "http://example.123/", "http://0x/", "http://foo.0x/", "http://127.0.0.1./", "http://127.1./", "http://0/", "http://1.1.1.1.1/", "http://1.1.1.09/", "http://99999999999999999999/",
		// S6
		"http://localhost/", "http://LOCALHOST/", "http://LocalHost./", "http://foo.localhost/", "http://printer.local/", "http://PRINTER.LOCAL./", "http://vault.internal/", "http://metadata.google.internal/", "http://metadata.google.internal./", "http://localhost.localdomain/", "http://router.home.arpa/", "http://home.arpa/", "http://intranet/", "http://com/", "http://ip6-localhost/", "http://kubernetes/", "http://localhost:80/", "http://internal/", "http://x.y.z.internal/", "http://xn--localhost/",
		// S7
		"http://ⓛocalhost/", "http://ｌｏｃａｌｈｏｓｔ/", "http://１２７.0.0.1/", "http://127。0。0。1/", "http://①②⑦.⓪.⓪.①/", "http://foo.ⓛocal/", "http://vault｡internal/", "http://example.com／@127.0.0.1/", "http://℀.com/", "http://１６９.２５４.１６９.２５４/", "http://lo\u00adcalhost/", "http://local\u200bhost/", "http://foo.ＬＯＣＡＬ/", "http://\u00ad/",
		// S8
		"http://%6c%6f%63%61%6c%68%6f%73%74/", "http://example%2ecom/", "http://127.0.0.1%2f@example.com/", "http://%31%32%37.0.0.1/", "http://example.com%00/", "http://example.com%/", "http://ex％61mple.com/",
		// S9
		"http://example.com:0/", "http://example.com:65536/", "http://example.com:99999999999999999999/", "http://example.com:-1/", "http://example.com:+80/", "http://example.com:abc/", "http://example.com:80:80/", "http://example.com:8 0/", "http://example.com:0x50/", "http://example.com:８０/", "http://example.com:80a/", "http://example.com:1e2/", "http://8.8.8.8:0/", "http://[2606:4700::1]:0/",
	}
	web := NewWeb(nil)
	for _, url := range allowed {
		if err := web.Check(url); err != nil {
			t.Errorf("%q is refused: %v", url, err)
		}
	}
	for _, url := range refused {
		if err := web.Check(url); err == nil {
			t.Errorf("%q is allowed", url)
		} else if len(err.Error()) > 400 {
			t.Errorf("%.40q: the message has %d bytes", url, len(err.Error()))
		}
	}
}

// The table is checked by an independent reading of the same registries: the
// predicates of the standard library, where they speak of the same ranges.
func TestReservedAddresses(t *testing.T) {
	for _, text := range []string{"10.1.2.3", "172.20.0.1", "192.168.1.1", "127.0.0.1", "169.254.1.1", "224.0.0.5", "0.0.0.0", "fe80::1", "ff05::2", "fd12::1", "::1", "::"} {
		address := netip.MustParseAddr(text)
		if !(address.IsPrivate() || address.IsLoopback() || address.IsLinkLocalUnicast() || address.IsMulticast() || address.IsUnspecified()) {
			t.Fatalf("%s is no example of what the standard library calls special", text)
		}
		if refusedAddress(address) == "" {
			t.Errorf("%s is allowed", text)
		}
		if address.Is4() && refusedAddress(netip.AddrFrom16(address.As16())) == "" {
			t.Errorf("%s is allowed when mapped into IPv6", text)
		}
	}
	if refusedAddress(netip.Addr{}) == "" {
		t.Error("the zero address is allowed")
	}
	if refusedAddress(netip.MustParseAddr("2606:4700::1").WithZone("eth0")) == "" {
		t.Error("an address with a zone is allowed")
	}
}

func TestAllowedNetsAndHosts(t *testing.T) {
	web := NewWeb(&WebOptions{AllowNets: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")}, AllowHosts: []string{"wiki.internal"}})
	for _, url := range []string{"http://10.1.2.3/", "http://wiki.internal/", "http://WIKI.internal./", "http://[::ffff:10.1.2.3]/"} {
		if err := web.Check(url); err != nil {
			t.Errorf("%s is refused: %v", url, err)
		}
	}
	for _, url := range []string{"http://10.2.0.1/", "http://vault.internal/", "http://x.wiki.internal/", "http://127.0.0.1/"} {
		if web.Check(url) == nil {
			t.Errorf("%s is allowed", url)
		}
	}
}

func FuzzURL(f *testing.F) {
	for _, url := range []string{"http://example.com/", "http://[::ffff:7f00:1]:80/?x", "http://127。0。0。1/", "HTTP://a_b.c:1#@", "http://%6c/", "http://user@x.y/"} {
		f.Add(url)
	}
	web := NewWeb(nil)
	f.Fuzz(func(t *testing.T, text string) {
		host, fault := web.checkURL(text)
		if fault != nil {
			if len(fault.Error()) > 500 {
				t.Errorf("the message has %d bytes", len(fault.Error()))
			}
			return
		}
		// What passes has a host that the dialler would judge in the same way.
		again, fault := web.checkHost(host)
		if fault != nil || again != host {
			t.Errorf("%q: host %q becomes %q, %v", text, host, again, fault)
		}
		if address, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil && refusedAddress(address) != "" {
			t.Errorf("%q leads to %s", text, address)
		}
		if strings.ContainsAny(host, "%@/\\ ") || host != strings.ToLower(host) && host[0] != '[' {
			t.Errorf("%q: host %q", text, host)
		}
	})
}
