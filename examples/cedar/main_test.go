package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShow(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, show(&out))
	require.Equal(t, `ann asks for 500:
  the call: denied the policy does not allow ann to transfer 500; up to 100 is allowed
  the user reads: I could not transfer the 500: the policy allows up to 100.
treasurer asks for 500:
  the call: succeeded 
  the user reads: I've transferred 500 to Bob.
`, out.String())
}
