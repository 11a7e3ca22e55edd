import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownPrefix, removeAbandoned } from '../../src/cli/ephemeral-folder.ts';
import { TemporaryDirectory } from '../../src/files/temporary-directory.ts';

/** The beginning of the names of this machine's folders. */
const prefix = (): string => ownPrefix().replace(/\d+-$/, '');

describe('abandoned folders', () => {
  let temporary: TemporaryDirectory;
  beforeEach(() => {
    temporary = new TemporaryDirectory();
  });
  afterEach(() => temporary.remove());
  const make = (name: string): string => {
    mkdirSync(temporary.path(name));
    writeFileSync(temporary.path(`${name}/kubeconfig`), '');
    return name;
  };
  const left = () => readdirSync(temporary.directory!).sort();
  /** A process that has ended. */
  const ended = spawnSync(process.execPath, ['--version']).pid;

  it('are those of processes that have ended', async () => {
    const running = make(`${prefix()}${process.pid}-abcdef`);
    make(`${prefix()}${ended}-abcdef`);
    make(`${prefix()}${ended}-ABC_12`);
    await removeAbandoned(temporary.directory!);
    expect(left()).toEqual([running]);
  });

  it('are not those of other machines, other programs and other names', async () => {
    const names = [
      `binnacle-ephemeral-00000000-${ended}-abcdef`,
      `binnacle-test-${ended}-abcdef`,
      `${prefix()}${ended}-abcdefg`,
      `${prefix()}-1-abcdef`,
      `${prefix()}99999999999-abcdef`,
    ].map(make);
    writeFileSync(temporary.path(`${prefix()}${ended}-a_file`), '');
    symlinkSync(make('linked'), temporary.path(`${prefix()}${ended}-a_link`));
    await removeAbandoned(temporary.directory!);
    expect(left()).toEqual(
      [...names, 'linked', `${prefix()}${ended}-a_file`, `${prefix()}${ended}-a_link`].sort(),
    );
  });

  it('are removed a hundred at a time', async () => {
    temporary.path('');
    for (let index = 0; index < 103; index += 1)
      make(`${prefix()}${ended}-${String(index).padStart(6, '0')}`);
    await removeAbandoned(temporary.directory!);
    expect(left()).toHaveLength(3);
  });

  it('are nothing in a folder that cannot be read', async () => {
    await removeAbandoned('/absent');
    expect(readdirSync(tmpdir()).length).toBeGreaterThan(0);
  });
});
