#!/bin/sh
# Runs a command with a cluster of its own, which ends with it:
#   sh with-cluster.sh kubectl get namespaces
# BINNACLE_BIN names another command that starts the server than the one that this file belongs to.
main=$(dirname "$0")/../../dist/main.js
serve() {
  if [ -n "$BINNACLE_BIN" ]; then exec $BINNACLE_BIN serve "$@"; else exec node "$main" serve "$@"; fi
}

folder=$(mktemp -d) || exit
# Not the standard input of this script: the command has it.
serve --ephemeral --kubeconfig-out="$folder/kubeconfig" --ready-file="$folder/ready.json" \
  < /dev/null > /dev/null &
server=$!
trap 'kill $server 2> /dev/null; wait $server; rm -r "$folder"' EXIT
trap 'exit 130' INT TERM
until [ -e "$folder/ready.json" ]; do
  kill -0 $server 2> /dev/null || exit 1
  sleep 0.1
done
KUBECONFIG=$folder/kubeconfig "$@"
