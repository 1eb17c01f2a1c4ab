# PostgreSQL, Redis, Chromium, axe, tmux and what the steps call: installed if they are missing, started if no server
# answers. Exports the variables that the tests read.

need pg_ctlcluster postgresql
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

if [ -z "${BONAFIDE_TEST_POSTGRES:-}" ]; then
	version=$(ls /usr/lib/postgresql | sort -n | tail -n 1)
	pg_lsclusters -h | grep -q "^$version *main " || pg_createcluster "$version" main >/dev/null
	if [ "$(pg_lsclusters -h | awk -v v="$version" '$1 == v && $2 == "main" {print $4}')" != online ]; then
		pg_ctlcluster "$version" main start
	fi
	port=$(pg_lsclusters -h | awk -v v="$version" '$1 == v && $2 == "main" {print $3}')
	for _ in $(seq 50); do
		pg_isready -q -h 127.0.0.1 -p "$port" && break
		sleep 0.2
	done
	pg_isready -h 127.0.0.1 -p "$port"
	# A role and a database of the tests' own, with a password made for this run.
	password=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n')
	su postgres -c "psql -q -p $port -v ON_ERROR_STOP=1" <<-SQL
		DO \$\$ BEGIN
			IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'bonafide_ci') THEN CREATE ROLE bonafide_ci LOGIN; END IF;
		END \$\$;
		ALTER ROLE bonafide_ci PASSWORD '$password';
	SQL
	su postgres -c "psql -qAt -p $port -c \"SELECT 1 FROM pg_database WHERE datname = 'bonafide_ci'\"" | grep -q 1 ||
		su postgres -c "createdb -p $port -O bonafide_ci bonafide_ci"
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
	trap 'kill "$(cat "$BONAFIDE_CI_DIR/redis.pid")" || true; rm -rf "$BONAFIDE_CI_DIR"' EXIT
	export BONAFIDE_TEST_REDIS="redis://127.0.0.1:$port/0"
fi
echo "PostgreSQL and Redis answer, browser is $BONAFIDE_TEST_BROWSER"
