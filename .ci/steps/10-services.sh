# PostgreSQL, Redis, Chromium, axe, tmux and what the steps call: installed if they are missing, and servers started
# unless a variable names one. Exports the variables that the tests read.

need /usr/lib/postgresql postgresql
need redis-server redis-server
need python3 python3
need gcc gcc libc6-dev
need chromium chromium
need tmux tmux
[ -n "${BONAFIDE_TEST_AXE:-}" ] || need npm npm
install_needed
export BONAFIDE_TEST_BROWSER=${BONAFIDE_TEST_BROWSER:-$(command -v chromium)}

if [ -z "${BONAFIDE_TEST_AXE:-}" ]; then # the version that .ci/axe locks
	mkdir -p "$BONAFIDE_CI_DIR/axe"
	cp .ci/axe/package.json .ci/axe/package-lock.json "$BONAFIDE_CI_DIR/axe"
	(cd "$BONAFIDE_CI_DIR/axe" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
	export BONAFIDE_TEST_AXE=$BONAFIDE_CI_DIR/axe/node_modules/axe-core/axe.min.js
fi

if [ -z "${BONAFIDE_TEST_POSTGRES:-}" ]; then # a server of this run's own, which waits for no disk and ends with it
	tools=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
	cluster=$(mktemp -d /tmp/bonafide-postgres-XXXXXX)
	chown postgres "$cluster"
	port=$((30000 + RANDOM % 2000))
	as_postgres() { (cd / && su postgres -c "$1"); }
	as_postgres "$tools/initdb --no-sync --auth-local=trust --auth-host=scram-sha-256 -D $cluster/data" >"$BONAFIDE_CI_DIR/initdb.log"
	options="-c fsync=off -c full_page_writes=off -c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories=$cluster"
	as_postgres "$tools/pg_ctl -s -w -D $cluster/data -l $cluster/log -o '$options' start" || { cat "$cluster/log"; exit 1; }
	ends+=("as_postgres '$tools/pg_ctl -s -D $cluster/data -m immediate stop'" "rm -rf $cluster")
	# A role and a database of the tests' own, with a password made for this run.
	password=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n')
	as_postgres "psql -q -h $cluster -p $port -v ON_ERROR_STOP=1" <<-SQL
		CREATE ROLE bonafide_ci LOGIN PASSWORD '$password';
		CREATE DATABASE bonafide_ci OWNER bonafide_ci;
	SQL
	export BONAFIDE_TEST_POSTGRES="postgres://bonafide_ci:$password@127.0.0.1:$port/bonafide_ci?sslmode=disable"
fi
if [ -z "${BONAFIDE_TEST_REDIS:-}" ]; then # on a port of its own, in memory; it ends with this run
	port=$((20000 + RANDOM % 10000))
	redis-server --bind 127.0.0.1 --port "$port" --save '' --appendonly no --dir "$BONAFIDE_CI_DIR" \
		--daemonize yes --pidfile "$BONAFIDE_CI_DIR/redis.pid" --logfile "$BONAFIDE_CI_DIR/redis.log" >/dev/null
	for _ in $(seq 50); do
		redis-cli -p "$port" ping 2>/dev/null | grep -q PONG && break
		sleep 0.1
	done
	redis-cli -p "$port" ping
	ends+=("kill $(cat "$BONAFIDE_CI_DIR/redis.pid")")
	export BONAFIDE_TEST_REDIS="redis://127.0.0.1:$port/0"
fi
echo "PostgreSQL and Redis answer, browser is $BONAFIDE_TEST_BROWSER"
