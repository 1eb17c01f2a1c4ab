# A million records in PostgreSQL: plans, times with 2 and 8 processes, and processes killed in
# turn. The figures of the guide's page on capacity come from here.

BONAFIDE_TEST_SCALE=${BONAFIDE_TEST_SCALE:-1000000} go test -C tooltrack/sqltrack -count=1 -timeout=30m -run '^$' -bench '^BenchmarkScale$' -benchtime 1x .
