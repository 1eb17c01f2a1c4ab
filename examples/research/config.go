package main

import (
	_ "embed" // for the file of limits
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/bonafide-go/bonafide/examples/research/limits"
)

//go:embed research.toml
var defaultConfig string

// environmentPrefix begins the names of the variables that beat the file.
const environmentPrefix = "ARGO_SECURITY_"

// loadLimits reads the limits of the tools: the documented defaults, then the
// table [security] of a TOML file, then the environment. An unknown key is an
// error in both: a misspelled limit must not be a missing one.
func loadLimits(file string, environ []string) (limits.Limits, error) {
	config := struct {
		Security limits.Limits `toml:"security"`
	}{limits.Defaults()}
	read, err := toml.Decode(file, &config)
	if err != nil {
		return limits.Limits{}, fmt.Errorf("the configuration is not valid: %w", err)
	}
	if unknown := read.Undecoded(); len(unknown) > 0 {
		names := make([]string, len(unknown))
		for i, key := range unknown {
			names[i] = key.String()
		}
		return limits.Limits{}, fmt.Errorf("the configuration has keys that do not exist: %s", strings.Join(names, ", "))
	}
	set, err := config.Security.WithEnv(environmentPrefix, environ)
	if err != nil {
		return limits.Limits{}, fmt.Errorf("limits: %w", err)
	}
	return set, nil
}
