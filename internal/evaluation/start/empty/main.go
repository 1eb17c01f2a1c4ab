// Empty is what a start is compared with: a program that makes an HTTP client, as every
// agent does, and ends.
package main

import "net/http"

func main() { _ = http.Client{} }
