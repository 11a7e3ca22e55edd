#!/bin/sh
# Runs a command with a cluster of its own, which ends with it:
#   sh with-cluster.sh kubectl get namespaces
# BINNACLE_BIN names the command that starts the server.
folder=$(mktemp -d) || exit
# Not the standard input of this script: the command has it.
${BINNACLE_BIN:-binnacle} serve --ephemeral --kubeconfig-out="$folder/kubeconfig" \
  --ready-file="$folder/ready.json" < /dev/null > /dev/null &
server=$!
trap 'kill $server 2> /dev/null; wait $server; rm -r "$folder"' EXIT
trap 'exit 130' INT TERM
until [ -e "$folder/ready.json" ]; do
  kill -0 $server 2> /dev/null || exit 1
  sleep 0.1
done
KUBECONFIG=$folder/kubeconfig "$@"
