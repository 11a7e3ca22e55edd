import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('the hook for commit messages', () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-hooks-'));
  const identity = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com' };
  const env = {
    PATH: process.env['PATH'],
    HOME: directory,
    GIT_CONFIG_NOSYSTEM: '1',
    ...identity,
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };
  const run = (command: string, ...words: readonly string[]) =>
    spawnSync(command, words, { cwd: directory, env, encoding: 'utf8' });
  /** Commits with this message. @returns what Git says if the commit is refused */
  const commit = (message: string) => {
    const { status, stderr } = run('git', 'commit', '--allow-empty', '--message', message);
    return status === 0 ? '' : stderr.trim();
  };

  beforeAll(() => {
    for (const file of ['.githooks', 'scripts/check-subject.mjs', 'package.json'])
      cpSync(file, join(directory, file), { recursive: true });
    run('git', 'init', '--quiet');
    expect(run('npm', 'run', 'hooks').status).toBe(0);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('accepts an area and what the commit does', () => {
    expect(commit('codec: write YAML in shorter steps\n\nThe first step took 63 ms.')).toBe('');
    expect(commit('schema, codec: check structural values')).toBe('');
    expect(commit('custom resources: name the version to use')).toBe('');
  });

  it('accepts 72 characters, however many bytes they have', () => {
    expect(commit(`area: ${'ä'.repeat(66)}`)).toBe('');
    expect(commit(`area: ${'a'.repeat(67)}`)).toBe(
      `the subject of the commit has 73 characters; at most 72: area: ${'a'.repeat(67)}`,
    );
  });

  it.each(['write YAML in shorter steps', 'codec:write YAML', ': write YAML', 'codec: '])(
    'refuses %j',
    (subject) => {
      expect(commit(subject)).toMatch(/does not have the form `area: what it does`/);
    },
  );

  it.each(['Merge branch a', 'Revert "codec: write YAML"', `fixup! codec: ${'a'.repeat(66)}`])(
    'accepts the subject %j of Git',
    (subject) => expect(commit(subject)).toBe(''),
  );
});
