import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasEtcd } from '../storage/etcd/etcd-process.ts';

/** A suite with a scenario for etcd, which passes if the etcd that the command names answers, and another one. */
const RUNNER = `
import { writeFileSync } from 'node:fs';
const words = process.argv.slice(2);
const after = (name) => words[words.indexOf(name) + 1];
if (words.includes('--list')) for (const id of ['storage/one', 'other/two']) console.log(id + '  [default]  a title');
else {
  const [, servers] = /--etcd-servers=(\\S+) --etcd-prefix=/.exec(after('--exec'));
  const { ok } = await fetch(servers + '/health');
  const results = words.filter((word) => /^(storage|other)\\//.test(word)).map((id) => ({ id, outcome: ok ? 'pass' : 'fail', steps: [] }));
  writeFileSync(after('--json'), JSON.stringify({ results }));
}
`;

describe.skipIf(!hasEtcd)('the list of scenarios that pass on etcd', () => {
  let suite: string;
  beforeEach(() => {
    suite = mkdtempSync(join(tmpdir(), 'binnacle-ratchet-'));
    writeFileSync(join(suite, 'run.mjs'), RUNNER);
  });
  afterEach(() => rmSync(suite, { recursive: true, force: true }));

  const run = (listed: readonly string[], ...words: string[]) => {
    const list = join(suite, 'passing-on-etcd.txt');
    writeFileSync(list, listed.map((id) => `${id}\n`).join(''));
    const env = { ...process.env, BINNACLE_CONFORMANCE: suite, BINNACLE_CONFORMANCE_SERVER: 'unused' };
    const all = ['scripts/conformance.mjs', '--list', list, ...words];
    const { status, stdout } = spawnSync(process.execPath, all, { env, encoding: 'utf8' });
    return { status, last: stdout.trim().split('\n').at(-1) };
  };

  it('runs the scenarios for etcd against an etcd of its own', () => {
    expect(run(['storage/one'], '--etcd')).toEqual({ status: 0, last: '1 passed, 0 failed' });
    expect(run([], '--etcd')).toEqual({ status: 1, last: '0 passed, 1 failed' });
  });

  it('runs every scenario with --all, also with several servers', () => {
    const all = ['storage/one', 'other/two'];
    expect(run(all, '--all', '--replicas=3')).toEqual({ status: 0, last: '2 passed, 0 failed' });
  });
});
