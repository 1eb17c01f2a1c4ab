//go:build fleet

package main

// PostgreSQL, which only many processes need: a first run should not wait for it to compile.
import _ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
