import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BuiltServer } from './support/built-server.ts';
import { EXECUTABLE } from './support/command.ts';

const canMount =
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true'], { stdio: 'ignore' }).status === 0;

describe.skipIf(EXECUTABLE === undefined)('the executable', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-executable-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it.skipIf(!canMount)('refuses a store when its library can be loaded from no folder, in one line', () => {
    const script = 'mount -t tmpfs -o noexec tmpfs "$1" && exec "$2" --data-dir="$1/data" --secure-port=0';
    const { status, stdout, stderr } = spawnSync(
      'unshare',
      ['--mount', 'sh', '-c', script, 'sh', directory, EXECUTABLE!],
      { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: directory, TMPDIR: directory } },
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(
      /^Error: the store needs a folder [^\n]*\.cache\/binnacle: mounted with noexec; [^\n]*: mounted with noexec\): set XDG_CACHE_HOME [^\n]+\n$/,
    );
  });

  it('unpacks nothing for a server in memory', async () => {
    const before = process.env['XDG_CACHE_HOME'];
    process.env['XDG_CACHE_HOME'] = directory;
    const server = new BuiltServer(['--storage-backend=memory', '--kubeconfig-out=']);
    try {
      await server.start();
      expect(readdirSync(directory)).toEqual([]);
    } finally {
      await server.remove();
      if (before === undefined) delete process.env['XDG_CACHE_HOME'];
      else process.env['XDG_CACHE_HOME'] = before;
    }
  });

  it('has a role by the name of a symbolic link', () => {
    mkdirSync(join(directory, 'links'));
    const link = join(directory, 'links/etcd');
    symlinkSync(EXECUTABLE!, link);
    expect(spawnSync(link, ['--version'], { encoding: 'utf8' }).stdout).toMatch(/^etcd Version: /);
  });

  it('starts when options of V8 make its compiled code useless', () => {
    const { status, stdout } = spawnSync(EXECUTABLE!, ['version'], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '--max-old-space-size=300' },
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining('Binnacle ')]);
  });
});
