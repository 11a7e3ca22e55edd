import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** A suite whose scenarios end as a file says: `pass` or `fail`. Those of the profile `broken` end the runner. */
const RUNNER = `
import { readFileSync, writeFileSync } from 'node:fs';
const outcomes = JSON.parse(readFileSync(new URL('outcomes.json', import.meta.url), 'utf8'));
const words = process.argv.slice(2);
const after = (name) => words[words.indexOf(name) + 1];
const profileOf = (id) => id.startsWith('broken/') ? 'broken' : 'default';
const flags = ['--exec', '--profile', '--json', '--ports', '--slow'];
const filters = words.filter((word, index) => !word.startsWith('--') && !flags.includes(words[index - 1]));
const ids = Object.keys(outcomes).filter((id) => filters.length === 0 || filters.some((filter) => id.includes(filter)));
if (words.includes('--list')) for (const id of ids) console.log(id + '  [' + profileOf(id) + ']  a title');
else if (after('--profile') === 'broken') process.exit(13);
else writeFileSync(after('--json'), JSON.stringify({ results: ids.map((id) => ({ id, outcome: outcomes[id], differences: [{ path: '/why', golden: 1, actual: 2 }] })) }));
`;

describe('the list of passing scenarios of a whole cluster', () => {
  let suite: string;
  beforeEach(() => {
    suite = mkdtempSync(join(tmpdir(), 'binnacle-workloads-'));
    writeFileSync(join(suite, 'run.mjs'), RUNNER);
  });
  afterEach(() => rmSync(suite, { recursive: true, force: true }));

  const run = (outcomes: Record<string, string>, listed: readonly string[], ...words: string[]) =>
    runSome(outcomes, listed, '--all', ...words);
  const runSome = (outcomes: Record<string, string>, listed: readonly string[], ...words: string[]) => {
    const list = join(suite, 'passing.txt');
    writeFileSync(join(suite, 'outcomes.json'), JSON.stringify(outcomes));
    writeFileSync(list, listed.map((id) => `${id}\n`).join(''));
    const env = { ...process.env, BINNACLE_WORKLOADS: suite, BINNACLE_WORKLOADS_SERVER: 'unused' };
    const { status, stdout } = spawnSync(
      process.execPath,
      ['scripts/workloads.mjs', '--list', list, ...words],
      { env, encoding: 'utf8' },
    );
    return {
      status,
      stdout,
      last: stdout.trim().split('\n').at(-1),
      listed: readFileSync(list, 'utf8').split('\n').filter(Boolean),
    };
  };

  it('is correct if exactly the listed scenarios pass', () =>
    expect(run({ 'a/one': 'pass', 'b/two': 'fail' }, ['a/one'])).toMatchObject({
      status: 0,
      last: '1 passed, 0 failed',
    }));

  it('fails if a listed scenario fails, and says how', () => {
    const result = run({ 'a/one': 'pass', 'b/two': 'fail' }, ['a/one', 'b/two']);
    expect(result).toMatchObject({ status: 1, last: '1 passed, 1 failed' });
    expect(result.stdout).toContain('listed, but fails: b/two\n    /why: {"golden":1,"actual":2}');
  });

  it('fails if an unlisted scenario passes, a listed one is missing, or the cluster does not start', () => {
    expect(run({ 'a/one': 'pass' }, []).last).toBe('0 passed, 1 failed');
    expect(run({ 'a/one': 'pass' }, ['a/one', 'b/gone']).last).toBe('1 passed, 1 failed');
    const result = run({ 'a/one': 'pass', 'broken/two': 'pass' }, ['a/one', 'broken/two']);
    expect(result.last).toBe('1 passed, 1 failed');
    expect(result.stdout).toContain('it was not played');
  });

  it('is compared for the scenarios of every change alone by default', () => {
    const outcomes = { 'deployment/create': 'pass', 'a/one': 'fail' };
    const result = runSome(outcomes, ['deployment/create', 'a/one']);
    expect(result).toMatchObject({ status: 0, last: '1 passed, 0 failed' });
  });

  it('is updated on request', () => {
    const { listed } = run({ 'b/two': 'pass', 'a/one': 'pass', 'c/three': 'fail' }, ['c/three'], '--update');
    expect(listed).toEqual(['a/one', 'b/two']);
  });

  it('is skipped without a suite', () => {
    rmSync(join(suite, 'run.mjs'));
    expect(run({}, [])).toMatchObject({ status: 0, last: `skipped: no workloads suite at ${suite}` });
  });
});
