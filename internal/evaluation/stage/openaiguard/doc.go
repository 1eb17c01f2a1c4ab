// Package openaiguard plays our labelled turns with models of many characters to package openaiguard.
package openaiguard
