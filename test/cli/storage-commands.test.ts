import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMMANDS, commandHelpText } from '../../src/cli/commands.ts';
import { runStorageCommand } from '../../src/cli/storage-commands.ts';
import { openEmbeddedStorage } from '../../src/storage/embedded/index.ts';
import { put } from '../storage/helpers.ts';

type Command = Parameters<typeof runStorageCommand>[0];

describe('commands on stores', () => {
  let directory: string;
  const at = (name: string): string => join(directory, name);
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-commands-'));
    mkdirSync(at('data'));
    const storage = await openEmbeddedStorage({ directory: at('data/store') });
    await put(storage, '/registry/a', 'x');
    await storage.close();
    mkdirSync(at('others'));
    writeFileSync(at('others/notes.txt'), '');
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const run = async (command: Command, ...words: string[]): Promise<string> => {
    let printed = '';
    const print = (text: string): void => {
      printed += text;
    };
    expect(await runStorageCommand(command, words, { out: print, error: print })).toBe(0);
    return printed;
  };
  const failure = async (command: Command, ...words: string[]): Promise<string> => {
    const error = await run(command, ...words).catch((problem: Error) => problem);
    expect(error).toBeInstanceOf(Error);
    return (error as Error).message.replaceAll(directory, '');
  };

  it.each(['compact', 'fsck', 'migrate', 'restore'] as const)(
    '%s prints the same help as help',
    async (name) => {
      expect(await run(name, '--help')).toBe(commandHelpText(name));
      expect(COMMANDS.get(name)!.usage).toMatch(new RegExp(`^binnacle ${name} `));
    },
  );

  it.each<[Command, string[], string]>([
    ['restore', ['a', '--data-dri=b'], 'unknown flag: --data-dri; did you mean --data-dir?'],
    ['fsck', ['a', '--data-dir=b'], 'unknown flag: --data-dir; see binnacle fsck --help'],
    ['compact', ['-x'], 'unknown flag: -x; see binnacle compact --help'],
    ['restore', ['a', '--data-dir='], 'flag needs an argument: --data-dir'],
    ['migrate', ['--to=x', '--from'], 'flag needs an argument: --from'],
    ['compact', [], 'compact takes one directory: binnacle compact DIR'],
    ['compact', ['a', 'b'], 'compact takes one directory: binnacle compact DIR'],
  ])('%s %j fails in one line', async (command, words, message) => {
    expect(await failure(command, ...words)).toBe(message);
  });

  it('name the argument that is wrong', async () => {
    expect(await failure('restore', at('others'), `--data-dir=${at('new')}`)).toBe(
      '/others has no objects of a server (/others/store): name a directory that binnacle backup wrote',
    );
    expect(await failure('restore', at('data'), `--data-dir=${at('others')}`)).toBe(
      '/others is not empty (notes.txt): name a new or empty directory with --data-dir',
    );
    const migrate = ['--from', `embedded:${at('data')}`, '--to', `embedded:${at('others')}`];
    expect(await failure('migrate', ...migrate)).toBe(
      '/others contains other files (notes.txt) and is not a data directory: name a new or empty directory with --to embedded:DIR',
    );
    expect(readdirSync(at('others'))).toEqual(['notes.txt']);
  });

  it('compact the store of a data directory', async () => {
    expect((await run('compact', at('data'))).split('\n')).toEqual([
      expect.stringMatching(/^copied 1 keys; the source is at revision \d+$/),
      expect.stringMatching(/^1 keys of \S+\/data are written to a new file, at revision \d+\. History and /),
      '',
    ]);
  });
});
