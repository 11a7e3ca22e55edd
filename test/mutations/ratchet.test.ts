import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/**
 * A suite with two cases of each kind. `outcomes.json` names the cases that fail, or `break` for a kind that
 * aborts the runner.
 */
const RUNNER = `
import { readFileSync, writeFileSync } from 'node:fs';
const outcomes = JSON.parse(readFileSync(new URL('outcomes.json', import.meta.url), 'utf8'));
const words = process.argv.slice(2);
const flags = ['--exec', '--json', '--ports', '--groups'];
const filters = words.filter((word, index) => !word.startsWith('--') && !flags.includes(words[index - 1]));
const kinds = Object.keys(outcomes).filter((id) => filters.length === 0 || filters.some((filter) => id.includes(filter)));
const results = [];
for (const kind of kinds) {
  if (words.includes('--list')) {
    console.log(kind + '  [default]  2 cases');
    continue;
  }
  if (outcomes[kind] === 'break') process.exit(13);
  for (const path of outcomes[kind]) {
    const request = { do: 'create', base: 'plain', edits: [[path, 1]], answer: { s: 201 } };
    results.push({ kind, case: request, verdict: 'differ', differences: [{ path: '/status', expected: 201, actual: 422 }] });
  }
  console.log((outcomes[kind].length ? 'FAIL ' : 'ok   ') + kind + ' (2 cases, ' + outcomes[kind].length + ' failed)');
}
if (!words.includes('--list')) writeFileSync(words[words.indexOf('--json') + 1], JSON.stringify({ results }));
`;

describe('the list of failing mutations', () => {
  let suite: string;
  beforeEach(() => {
    suite = mkdtempSync(join(tmpdir(), 'binnacle-ratchet-'));
    writeFileSync(join(suite, 'run.mjs'), RUNNER);
  });
  afterEach(() => rmSync(suite, { recursive: true, force: true }));

  const run = (
    outcomes: Record<string, readonly string[] | 'break'>,
    listed: readonly string[],
    ...words: string[]
  ) => {
    const list = join(suite, 'failing.txt');
    writeFileSync(join(suite, 'outcomes.json'), JSON.stringify(outcomes));
    writeFileSync(list, ['# A comment.', ...listed, ''].join('\n'));
    const env = { ...process.env, BINNACLE_MUTATIONS: suite, BINNACLE_MUTATIONS_SERVER: 'unused' };
    const { status, stdout } = spawnSync(
      process.execPath,
      ['scripts/mutations.mjs', '--list', list, ...words],
      { env, encoding: 'utf8' },
    );
    return {
      status,
      stdout,
      last: stdout.trim().split('\n').at(-1),
      lines: readFileSync(list, 'utf8').split('\n'),
    };
  };
  const idsOf = (outcomes: Record<string, readonly string[]>) =>
    run(outcomes, [], '--update').lines.slice(1, -1);

  it('has ids with the kind, the request and the field', () => {
    expect(idsOf({ 'core.v1.Pod': ['/spec/x'] })).toEqual([
      expect.stringMatching(/^core\.v1\.Pod create plain \/spec\/x [0-9a-f]{10}$/),
    ]);
  });

  it('is correct if exactly the listed cases fail', () => {
    const outcomes = { 'core.v1.Pod': ['/spec/x'], 'core.v1.PodTemplate': [] };
    expect(run(outcomes, idsOf(outcomes))).toMatchObject({ status: 0, last: '3 passed, 0 failed' });
  });

  it('fails if an unlisted case fails, with the difference', () => {
    const result = run({ 'core.v1.Pod': ['/spec/x'] }, []);
    expect(result).toMatchObject({ status: 1, last: '1 passed, 1 failed' });
    expect(result.stdout).toMatch(
      /fails, but is not listed: core\.v1\.Pod create plain \/spec\/x .*\n {4}\{"path":"\/status"/,
    );
  });

  it('fails if a listed case passes or its kind is missing', () => {
    const listed = idsOf({ 'core.v1.Pod': ['/spec/x'] });
    const result = run({ 'core.v1.Pod': [] }, [...listed, 'core.v1.Gone create plain 0123456789']);
    expect(result).toMatchObject({ status: 1, last: '2 passed, 2 failed' });
    expect(result.stdout).toContain(`listed, but passes: ${listed[0]}`);
    expect(result.stdout).toContain('listed, but not in the suite: core.v1.Gone');
  });

  it('fails for a kind whose runner aborts', () => {
    const result = run({ 'core.v1.Node': 'break', 'core.v1.Pod': [] }, []);
    expect(result).toMatchObject({ status: 1, last: '2 passed, 1 failed' });
    expect(result.stdout).toContain('not run: core.v1.Node');
  });

  it('runs only the selected kinds', () => {
    const outcomes = { 'core.v1.Node': ['/a'], 'core.v1.Pod': ['/b'] };
    expect(run(outcomes, idsOf({ 'core.v1.Pod': ['/b'] }), 'core.v1.Pod')).toMatchObject({
      status: 0,
      last: '1 passed, 0 failed',
    });
  });

  it('is rewritten by --update, sorted, with its comment', () => {
    const listed = idsOf({ 'core.v1.Pod': ['/gone', '/kept'] });
    const { lines, status } = run({ 'core.v1.Node': ['/new'], 'core.v1.Pod': ['/kept'] }, listed, '--update');
    expect(status).toBe(0);
    expect(lines.map((line) => line.split(' ').slice(0, 4).join(' '))).toEqual([
      '# A comment.',
      'core.v1.Node create plain /new',
      'core.v1.Pod create plain /kept',
      '',
    ]);
  });

  it('fails if no case was run', () => {
    expect(run({}, [])).toMatchObject({ status: 1, last: '0 passed, 0 failed' });
  });

  it('is skipped with a message without a suite', () => {
    rmSync(join(suite, 'run.mjs'));
    expect(run({}, [])).toMatchObject({ status: 0, last: expect.stringMatching(/^skipped: /) });
  });
});
