#!/usr/bin/env bash
# The work of action.yml: installs an executable into a folder of the job, verifies its checksum, and writes the
# binaries for envtest. RELEASES names another place than GitHub.
set -euo pipefail

fail() {
  echo "::error title=Set up Binnacle::$1"
  exit 1
}

case "$(uname -s)" in
  Linux) system=linux ;;
  Darwin) system=darwin ;;
  MINGW* | MSYS* | CYGWIN*) system=win ;;
  *) fail "there is no executable for $(uname -s)" ;;
esac
case "$(uname -m)" in
  x86_64 | amd64) processor=x64 ;;
  aarch64 | arm64) processor=arm64 ;;
  *) fail "there is no executable for $(uname -m)" ;;
esac
extension=
if [ "$system" = win ]; then extension=.exe; fi

folder=$RUNNER_TEMP/binnacle
mkdir -p "$folder"
bin=$folder/binnacle$extension

# download FILE: into the folder, with its name.
download() {
  curl --fail --silent --show-error --location --retry 3 --output "$folder/$1" "$releases/$1" \
    || fail "$releases/$1 cannot be downloaded: name a release with 'version'"
}

if [ -n "$EXECUTABLE" ]; then
  [ -f "$EXECUTABLE" ] || fail "there is no file $EXECUTABLE: 'executable' names one that an earlier step has made"
  cp "$EXECUTABLE" "$bin"
else
  version=${VERSION#v}
  [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]] \
    || fail "'$VERSION' is not a release: name one with 'version', such as 0.1.0"
  releases=${RELEASES:-$GITHUB_SERVER_URL/$REPOSITORY/releases/download/v$version}
  name=binnacle-$version-$system-$processor$extension
  download SHA256SUMS
  download "$name"
  grep -E " [ *]?$name\$" "$folder/SHA256SUMS" >"$folder/sum" || fail "SHA256SUMS does not name $name"
  if command -v sha256sum >/dev/null; then check='sha256sum'; else check='shasum -a 256'; fi
  (cd "$folder" && $check --check sum >/dev/null 2>&1) || fail "$name has another checksum than SHA256SUMS says"
  mv "$folder/$name" "$bin"
fi
chmod +x "$bin"
"$bin" version
{
  echo "bin=$bin"
} >>"$GITHUB_OUTPUT"
echo "$folder" >>"$GITHUB_PATH"
echo "BINNACLE_BIN=$bin" >>"$GITHUB_ENV"

if [ "$ENVTEST" = true ]; then
  assets=$folder/envtest
  "$bin" envtest "$assets" ${KUBERNETES_VERSION:+"--kubernetes-version=$KUBERNETES_VERSION"}
  echo "assets=$assets" >>"$GITHUB_OUTPUT"
  echo "KUBEBUILDER_ASSETS=$assets" >>"$GITHUB_ENV"
fi
