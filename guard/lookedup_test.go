package guard_test

import ()
