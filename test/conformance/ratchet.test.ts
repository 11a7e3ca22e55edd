import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** A suite whose scenarios end as a file says: `pass`, `fail`, or `break` for one that aborts the runner. */
const RUNNER = `
import { readFileSync, writeFileSync } from 'node:fs';
const outcomes = JSON.parse(readFileSync(new URL('outcomes.json', import.meta.url), 'utf8'));
const words = process.argv.slice(2);
const after = (name) => words[words.indexOf(name) + 1];
const flags = ['--exec', '--heldout', '--profile', '--json', '--ports'];
const filters = words.filter((word, index) => !word.startsWith('--') && !flags.includes(words[index - 1]));
const ids = Object.keys(outcomes).sort().filter((id) => filters.length === 0 || filters.some((filter) => id.includes(filter)));
if (words.includes('--list')) for (const id of ids) console.log(id + '  [default]  a title');
else {
  const results = [];
  for (const id of ids) {
    if (outcomes[id] === 'break') process.exit(13);
    console.log((outcomes[id] === 'pass' ? 'ok   ' : 'FAIL ') + id + ' (1 steps, 1 ms)');
    results.push({ id, outcome: outcomes[id], steps: [{ name: 'only', verdict: outcomes[id] === 'pass' ? 'exact' : 'error', error: 'why' }] });
  }
  writeFileSync(after('--json'), JSON.stringify({ results }));
}
`;

describe('the list of passing scenarios', () => {
  let suite: string;
  beforeEach(() => {
    suite = mkdtempSync(join(tmpdir(), 'binnacle-ratchet-'));
    writeFileSync(join(suite, 'run.mjs'), RUNNER);
  });
  afterEach(() => rmSync(suite, { recursive: true, force: true }));

  const run = (outcomes: Record<string, string>, listed: readonly string[], ...words: string[]) => {
    const list = join(suite, 'passing.txt');
    writeFileSync(join(suite, 'outcomes.json'), JSON.stringify(outcomes));
    writeFileSync(list, listed.map((id) => `${id}\n`).join(''));
    const env = { ...process.env, BINNACLE_CONFORMANCE: suite, BINNACLE_CONFORMANCE_SERVER: 'unused' };
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['scripts/conformance.mjs', '--list', list, ...words],
      { env, encoding: 'utf8' },
    );
    return {
      status,
      stdout,
      stderr,
      last: stdout.trim().split('\n').at(-1),
      listed: readFileSync(list, 'utf8').split('\n').filter(Boolean),
    };
  };

  it('plays the scenarios of its list in small steps, or every one with --all', () => {
    const outcomes = { 'tables/one': 'pass', 'a/two': 'pass', 'encryption/three': 'pass' };
    const all = Object.keys(outcomes);
    expect(run(outcomes, all, '--small-steps')).toMatchObject({ status: 0, last: '1 passed, 0 failed' });
    const two = run(outcomes, all, '--small-steps', '--all');
    expect(two).toMatchObject({ status: 0, last: '2 passed, 0 failed' });
    expect(run(outcomes, all, '--small-steps', 'a/two').last).toBe('1 passed, 0 failed');
  });

  it('is correct if exactly the listed scenarios pass', () => {
    expect(run({ 'a/one': 'pass', 'b/two': 'fail' }, ['a/one'])).toMatchObject({
      status: 0,
      last: '1 passed, 0 failed',
    });
  });

  it('fails if a listed scenario fails, and names it', () => {
    const result = run({ 'a/one': 'pass', 'b/two': 'fail' }, ['a/one', 'b/two']);
    expect(result).toMatchObject({ status: 1, last: '1 passed, 1 failed' });
    expect(result.stdout).toContain('listed, but fails: b/two\n    only: why');
  });

  it('fails if an unlisted scenario passes or a listed one is missing', () => {
    expect(run({ 'a/one': 'pass', 'b/two': 'pass' }, ['a/one'])).toMatchObject({
      status: 1,
      last: '1 passed, 1 failed',
    });
    expect(run({ 'a/one': 'pass' }, ['a/gone', 'a/one'])).toMatchObject({ status: 1 });
  });

  it('runs only the selected scenarios', () => {
    expect(run({ 'a/one': 'pass', 'b/two': 'fail' }, ['a/one', 'b/two'], 'a/')).toMatchObject({
      status: 0,
      last: '1 passed, 0 failed',
    });
  });

  it('fails one scenario if the runner aborts, not the others', () => {
    const outcomes = { 'a/1': 'pass', 'a/2': 'break', 'a/3': 'pass', 'a/4': 'break', 'a/5': 'pass' };
    expect(run(outcomes, ['a/1', 'a/3', 'a/5'])).toMatchObject({ status: 0, last: '3 passed, 0 failed' });
  });

  it('is rewritten and sorted by --update', () => {
    const { listed, status } = run(
      { 'a/one': 'pass', 'b/two': 'fail', 'c/three': 'pass' },
      ['b/two', 'c/three', 'd/gone'],
      '--update',
    );
    expect([status, listed]).toEqual([0, ['a/one', 'c/three']]);
  });

  it('is skipped with a message without a suite', () => {
    rmSync(join(suite, 'run.mjs'));
    expect(run({}, [])).toMatchObject({ status: 0, last: expect.stringMatching(/^skipped: /) });
  });
});
