#!/bin/sh
# Runs a command of the npm package as the service's user, with the service's settings; root calls it.
# Install it as /usr/local/bin/tributary. Name files by their full path. `DATA_DIR=… tributary …` overrides a setting.
set -eu
given=$(export -p)
set -a
DATA_DIR=/var/lib/tributary
. /etc/tributary.env
set +a
eval "$given"
export HOME=/var/lib/tributary
cd /var/lib/tributary
umask 077
exec runuser -u tributary -- /opt/tributary/node_modules/bun/bin/bun.exe \
  /opt/tributary/node_modules/@tributary/server/apps/server/src/commands/cli.js "$@"
