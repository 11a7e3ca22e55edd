// Builds etcd, which the tests of the etcd storage run, into a cache directory, and prints its path. Needs Go.
// BINNACLE_ETCD names a binary that is used instead. Exit status 77 means that there is neither.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const module = join(dirname(fileURLToPath(import.meta.url)), 'etcd');

/** The path where the binary of the pinned version is or will be. */
export function etcdPath() {
  if (process.env.BINNACLE_ETCD) return process.env.BINNACLE_ETCD;
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum', 'main.go']) hash.update(readFileSync(join(module, file)));
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, 'binnacle', `etcd-${hash.digest('hex').slice(0, 16)}`);
}

/** Builds the binary if it is absent. Returns an error text, or undefined. */
function build(path) {
  const partial = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  const go = ['go', '/usr/local/go/bin/go'].find((name) => spawnSync(name, ['version']).status === 0);
  if (go === undefined) return 'Go is not installed';
  const { status, stderr } = spawnSync(go, ['build', '-trimpath', '-ldflags=-s -w', '-o', partial, '.'], {
    cwd: module,
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly' },
    encoding: 'utf8',
  });
  if (status !== 0) return `go build failed: ${stderr}`;
  renameSync(partial, path);
  return undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = etcdPath();
  const problem = existsSync(path) ? undefined : build(path);
  if (problem !== undefined) {
    console.error(`skipped: etcd is not available: ${problem}`);
    process.exit(77);
  }
  console.log(path);
}
