package policy

import (
	"encoding/binary"
	"fmt"
	"net/netip"
)

// reservedRange is a block of addresses that a web tool must not reach; one without a name is
// an exception that is reachable inside of a larger block.
type reservedRange struct {
	prefix netip.Prefix
	name   string
}

// reserved lists the blocks that are not globally reachable, after the IANA
// IPv4 and IPv6 Special-Purpose Address Registries
// (https://www.iana.org/assignments/iana-ipv4-special-registry and
// https://www.iana.org/assignments/iana-ipv6-special-registry), with multicast
// and the blocks outside of 2000::/3 from the address space registries. More
// specific entries come first, since the first match decides.
var reserved = table(
	// Reachable exceptions inside 192.0.0.0/24 and 2001::/23: port control protocol and TURN
	// anycast, DNS-SD service registration anycast, AMT, AS112, ORCHIDv2 and drone remote id.
	"192.0.0.9/32", "", "192.0.0.10/32", "", "2001:1::1/128", "", "2001:1::2/128", "",
	"2001:1::3/128", "", "2001:3::/32", "", "2001:4:112::/48", "", "2001:20::/28", "", "2001:30::/28", "",

	"0.0.0.0/8", "this network",
	"10.0.0.0/8", "private",
	"100.64.0.0/10", "shared (CGNAT)",
	"127.0.0.0/8", "loopback",
	"168.63.129.16/32", "cloud metadata (Azure)",
	"169.254.0.0/16", "link-local, cloud metadata",
	"172.16.0.0/12", "private",
	"192.0.0.0/24", "protocol assignments",
	"192.0.2.0/24", "documentation",
	"192.88.99.0/24", "deprecated 6to4 relay",
	"192.168.0.0/16", "private",
	"198.18.0.0/15", "benchmarking",
	"198.51.100.0/24", "documentation",
	"203.0.113.0/24", "documentation",
	"224.0.0.0/4", "multicast",
	"240.0.0.0/4", "reserved",

	"::/128", "unspecified",
	"::1/128", "loopback",
	"64:ff9b:1::/48", "local-use translation",
	"100::/64", "discard",
	"100:0:0:1::/64", "dummy prefix",
	"2001::/23", "protocol assignments",
	"2001:db8::/32", "documentation",
	"3fff::/20", "documentation",
	"5f00::/16", "segment routing",
	"fc00::/7", "unique local",
	"fe80::/10", "link-local",
	"fec0::/10", "site-local",
	"ff00::/8", "multicast",
)

// globalUnicast is the part of the IPv6 address space from which global unicast
// addresses are assigned.
var globalUnicast = netip.MustParsePrefix("2000::/3")

func table(entries ...string) []reservedRange {
	ranges := make([]reservedRange, 0, len(entries)/2)
	for i := 0; i < len(entries); i += 2 {
		ranges = append(ranges, reservedRange{netip.MustParsePrefix(entries[i]), entries[i+1]})
	}
	return ranges
}

// Blocks of IPv6 addresses that carry an IPv4 address.
var (
	compatibleBlock = netip.MustParsePrefix("::/96")
	nat64Block      = netip.MustParsePrefix("64:ff9b::/96")
	sixToFourBlock  = netip.MustParsePrefix("2002::/16")
	teredoBlock     = netip.MustParsePrefix("2001::/32")
)

// refusedAddress says why an address may not be dialled, or returns "". An
// IPv6 address that carries an IPv4 one is judged by what it carries.
func refusedAddress(address netip.Addr) string {
	switch {
	case !address.IsValid():
		return "no address"
	case address.Zone() != "":
		return "an address with a zone, which is local"
	case address.Is4():
		return inTable(address)
	}
	if reason, carries := refusedCarried(address); carries {
		return reason
	}
	if reason := inTable(address); reason != "" {
		return reason
	}
	if !globalUnicast.Contains(address) {
		return "not global unicast"
	}
	return ""
}

func inTable(address netip.Addr) string {
	for i := range reserved {
		if reserved[i].prefix.Contains(address) {
			return reserved[i].name
		}
	}
	return ""
}

// refusedCarried judges the IPv4 addresses inside an IPv6 address, and reports
// whether there are any.
func refusedCarried(address netip.Addr) (reason string, carries bool) {
	bytes := address.As16()
	v4 := func(at int, mask uint32) string {
		var carried [4]byte
		binary.BigEndian.PutUint32(carried[:], binary.BigEndian.Uint32(bytes[at:])^mask)
		inner := netip.AddrFrom4(carried)
		if reason := inTable(inner); reason != "" {
			return fmt.Sprintf("carries %s, %s", inner, reason)
		}
		return ""
	}
	switch {
	case address.Is4In6(), nat64Block.Contains(address):
		return v4(12, 0), true
	case compatibleBlock.Contains(address):
		if reason := inTable(address); reason != "" { // :: and ::1
			return reason, true
		}
		return v4(12, 0), true
	case sixToFourBlock.Contains(address):
		return v4(2, 0), true
	case teredoBlock.Contains(address):
		if reason := v4(4, 0); reason != "" {
			return reason, true
		}
		return v4(12, 0xFFFFFFFF), true
	}
	return "", false
}
