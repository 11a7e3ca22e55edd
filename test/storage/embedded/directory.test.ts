import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConfigurationError } from '../../../src/errors/configuration-error.ts';
import { inspectDataFile } from '../../../src/storage/embedded/data-file.ts';
import { openEnvironment } from '../../../src/storage/embedded/environment.ts';
import {
  backupDirectory,
  DataDirectoryError,
  openEmbeddedStorage,
} from '../../../src/storage/embedded/index.ts';
import { StorageUnavailableError } from '../../../src/storage/storage.ts';
import { exited, linesOf, startProgram, startUnderCarelessParent } from '../crash/child.ts';
import { bytes, put, text } from '../helpers.ts';
import { temporaryDirectory } from '../temporary.ts';

async function refusal(directory: string): Promise<string> {
  const error = await openEmbeddedStorage({ directory, ownerWaitMilliseconds: 0 }).then(
    async (storage) => {
      await storage.close();
      throw new Error('was opened');
    },
    (reason: Error) => reason,
  );
  expect(error).toBeInstanceOf(DataDirectoryError);
  expect(error.message).not.toContain('\n');
  return error.message;
}

/** A closed data directory with some keys. */
async function filled(): Promise<{ directory: string; file: string }> {
  const directory = temporaryDirectory();
  const storage = await openEmbeddedStorage({ directory });
  await storage.createBatch(
    Array.from({ length: 2000 }, (_, index) => ({ key: `/k${index}`, value: bytes('x'.repeat(1000)) })),
  );
  await storage.createBatch([{ key: '/large', value: new Uint8Array(500_000) }]);
  await storage.close();
  return { directory, file: join(directory, 'data.mdb') };
}

describe('ownership of a data directory', () => {
  test('refuses a second store in the same process', async () => {
    const directory = temporaryDirectory();
    const storage = await openEmbeddedStorage({ directory });
    expect(await refusal(directory)).toBe(
      `${directory} is in use by this process: stop it first, or choose another data directory`,
    );
    await put(storage, '/a', 'still writes');
    await storage.close();
    await (await openEmbeddedStorage({ directory })).close();
  });

  test('refuses a second process, naming the first one’s id, until the first one is killed', async () => {
    const directory = temporaryDirectory();
    const child = startProgram('writer.ts', [directory, '0', '1']);
    const closed = exited(child);
    for await (const line of linesOf(child)) {
      if (line !== 'open') continue;
      expect(await refusal(directory)).toBe(
        `${directory} is in use by process ${child.pid}: stop it first, or choose another data directory`,
      );
      child.kill('SIGKILL');
    }
    await closed;
    const storage = await openEmbeddedStorage({ directory });
    expect(storage.revision).toBeGreaterThanOrEqual(1);
    await storage.close();
  });

  test('opens a directory whose owner was just killed, once the owner has exited', async () => {
    const directory = temporaryDirectory();
    const child = startProgram('writer.ts', [directory, '0', '1']);
    const closed = exited(child);
    let opened: Promise<void> | undefined;
    for await (const line of linesOf(child)) {
      if (line !== 'open') continue;
      child.kill('SIGKILL');
      opened = openEmbeddedStorage({ directory }).then((storage) => storage.close());
    }
    await opened;
    await closed;
  });

  test('treats an owner that is a zombie as dead', {
    skip: !existsSync('/proc/self/stat'),
  }, async () => {
    const directory = temporaryDirectory();
    const { parent, pid } = await startUnderCarelessParent('writer.ts', [directory, '0', '1'], 'open');
    onTestFinished(() => void parent.kill('SIGKILL'));
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /), {
      timeout: 60_000,
    });
    const storage = await openEmbeddedStorage({ directory });
    expect(storage.revision).toBeGreaterThanOrEqual(1);
    await storage.close();
    expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /);
  });

  test('reports a file written by another process as in use, not as damaged', async () => {
    const directory = temporaryDirectory();
    const child = startProgram('writer.ts', [directory, '0', '30']);
    const closed = exited(child);
    let lines = 0;
    for await (const _line of linesOf(child)) {
      lines += 1;
      if (lines < 200) continue;
      for (let look = 0; look < 200; look += 1) {
        expect(inspectDataFile(join(directory, 'data.mdb'), look % 2 === 0)).toBeUndefined();
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(await refusal(directory)).toContain(`is in use by process ${child.pid}`);
      child.kill('SIGKILL');
      break;
    }
    child.kill('SIGKILL');
    await closed;
  });

  test('lets one of several processes take over from a dead owner', async () => {
    const { directory } = await filled();
    const killed = startProgram('writer.ts', [directory, '0', '1']);
    const gone = exited(killed);
    for await (const line of linesOf(killed)) if (line === 'open') killed.kill('SIGKILL');
    await gone;
    const children = Array.from({ length: 4 }, () => startProgram('writer.ts', [directory, '1', '1']));
    const ended = children.map(exited);
    const answers = await Promise.all(
      children.map(async (child) => {
        for await (const line of linesOf(child)) return line;
        return 'nothing';
      }),
    );
    const holder = children[answers.indexOf('open')]?.pid;
    const refused = `error ${directory} is in use by process ${holder}: stop it first, or choose another data directory`;
    expect([...answers].sort()).toEqual([refused, refused, refused, 'open']);
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(ended);
  });

  test('rejects writes of an owner that was replaced', async () => {
    const directory = temporaryDirectory();
    const fatal: Error[] = [];
    const storage = await openEmbeddedStorage({ directory, onFatal: (error) => fatal.push(error) });
    await put(storage, '/a', 'one');
    const other = await openEnvironment(join(directory, 'data.mdb'));
    const owner = other.owner()!;
    expect(other.claim(owner.epoch + 1, { ...owner, epoch: 7 })).toBe(false);
    expect(other.claim(owner.epoch, { ...owner, epoch: 7 })).toBe(true);
    await expect(put(storage, '/b', 'b')).rejects.toMatchObject({ name: 'OutcomeUnknownError' });
    expect(fatal[0]?.message).toMatch(/another process has taken over/);
    expect(other.live.has('/b')).toBe(false);
    await storage.close();
    await other.close();
  });
});

describe('directories that are refused', () => {
  test('a directory with other files', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'notes.txt'), 'mine');
    expect(await refusal(directory)).toMatch(
      /contains other files \(notes\.txt\) and is not a data directory: choose an empty one or move them away$/,
    );
    expect(readdirSync(directory)).toEqual(['notes.txt']);
  });

  test('a path that is a file, or below a file', async () => {
    const file = join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    expect(await refusal(file)).toMatch(/file cannot be created \(EEXIST\): choose another directory/);
    expect(await refusal(join(file, 'below'))).toMatch(/cannot be created \(ENOTDIR\)/);
  });

  test('a marker that names no format', async () => {
    const { directory } = await filled();
    const marker = join(directory, 'binnacle-storage');
    for (const text of [
      '',
      'Binnacle embedded storage, format 0\n',
      'Binnacle embedded storage, format two\n',
    ]) {
      writeFileSync(marker, text);
      expect(await refusal(directory)).toBe(
        `${marker} names no data format: restore a backup, or move ${directory} away to start empty`,
      );
    }
  });

  test('a directory without read or write permission', async ({ skip }) => {
    if (process.getuid?.() !== 0) {
      const directory = temporaryDirectory();
      chmodSync(directory, 0o500);
      expect(await refusal(directory)).toMatch(/cannot be written to \(EACCES\): correct its permissions/);
      return;
    }
    // root bypasses permissions, so another user tries.
    const directory = temporaryDirectory();
    chmodSync(directory, 0o700);
    const child = startProgram('writer.ts', [directory, '0', '1'], {
      uid: 65534,
      gid: 65534,
      env: { ...process.env, HOME: '/nonexistent' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let answer = '';
    for await (const line of linesOf(child)) {
      answer = line;
      child.kill('SIGKILL');
    }
    if (answer === '') skip('another user cannot run programs in this environment');
    expect(answer).toMatch(/cannot be (read|written to|created) \(EACCES\): /);
  });
});

describe('a data directory without its data file', () => {
  test('is refused instead of started as an empty cluster', async () => {
    const { directory, file } = await filled();
    rmSync(file);
    const advice = `restore a backup, or remove ${join(directory, 'binnacle-storage')} to start empty`;
    expect(await refusal(directory)).toBe(
      `${file} is missing, although ${directory} is a data directory: ${advice}`,
    );
    rmSync(`${file}-lock`, { force: true });
    expect(await refusal(directory)).toMatch(/data\.mdb is missing/);
    expect(readdirSync(directory)).toEqual(['binnacle-storage']);
    rmSync(join(directory, 'binnacle-storage'));
    await (await openEmbeddedStorage({ directory })).close();
  });

  test('is opened when its creation was interrupted at any step', async () => {
    const { directory: whole } = await filled();
    const states: Record<string, (directory: string) => void> = {
      'no data file': () => undefined,
      'an empty data file': (directory) => writeFileSync(join(directory, 'data.mdb'), ''),
      'a complete data file': (directory) =>
        copyFileSync(join(whole, 'data.mdb'), join(directory, 'data.mdb')),
    };
    for (const [name, make] of Object.entries(states)) {
      const directory = temporaryDirectory();
      writeFileSync(join(directory, 'binnacle-storage.new'), 'Binnacle embedded storage, format 2\n');
      make(directory);
      const storage = await openEmbeddedStorage({ directory });
      await put(storage, '/here', name);
      await storage.close();
      expect(
        readdirSync(directory).filter((entry) => !entry.endsWith('-lock')),
        name,
      ).toEqual(['binnacle-storage', 'data.mdb']);
      rmSync(join(directory, 'data.mdb'));
      expect(await refusal(directory)).toMatch(/data\.mdb is missing/);
    }
  });
});

test('reports a page found damaged at runtime with the file and the remedy, and reads other pages', async () => {
  const directory = temporaryDirectory();
  const file = join(directory, 'data.mdb');
  let storage = await openEmbeddedStorage({ directory });
  for (let batch = 0; batch < 8; batch += 1)
    await storage.createBatch(
      Array.from({ length: 1000 }, (_, index) => ({
        key: `/k${batch}-${index}`,
        value: bytes(`value ${batch}-${index} ${'x'.repeat(1000)}`),
      })),
    );
  await storage.close();
  const data = readFileSync(file);
  // The flags of the page become 0x40. LMDB prints "internal error, index points to a 40 page" for each read of it.
  for (let at = data.indexOf('value 1-500 '); at >= 0; at = data.indexOf('value 1-500 ', at + 1))
    data.writeUInt16LE(0x40, (at & ~8191) + 18);
  writeFileSync(file, data);
  storage = await openEmbeddedStorage({ directory });
  const read = async (key: string) => storage.get(key);
  const error = await read('/k1-500').catch((reason: Error) => reason);
  expect(error).toBeInstanceOf(StorageUnavailableError);
  expect((error as Error).message).toMatch(
    /data\.mdb is damaged \(MDB_.*\): stop the server and restore a backup of its data directory$/,
  );
  expect((await read('/k7-1')).entry?.key).toBe('/k7-1');
  await expect(put(storage, '/k1-500', 'x', 1)).rejects.toBeInstanceOf(Error);
  await storage.close();
});

describe('damaged data files are refused without a crash', () => {
  const garbage = (length: number) =>
    Buffer.from(Array.from({ length }, (_, index) => (index * 73 + 41) & 0xff));
  const damages: Record<string, (file: string) => void> = {
    'garbage instead of it': (file) => writeFileSync(file, garbage(100_000)),
    'text instead of it': (file) => writeFileSync(file, 'hello'),
    empty: (file) => truncateSync(file, 0),
    'cut within its header': (file) => truncateSync(file, 100),
    'cut after the first page': (file) => truncateSync(file, 8192),
    'cut after its headers': (file) => truncateSync(file, 2 * 8192),
    'cut in half': (file) => truncateSync(file, statSync(file).size >> 1),
    'cut by one page': (file) => truncateSync(file, statSync(file).size - 8192),
    'garbage over its first pages': (file) =>
      writeFileSync(file, Buffer.concat([garbage(20_000), readFileSync(file).subarray(20_000)])),
    'garbage over its second header': (file) => {
      const data = readFileSync(file);
      garbage(8192).copy(data, 8192);
      writeFileSync(file, data);
    },
    'garbage after its headers': (file) =>
      writeFileSync(
        file,
        Buffer.concat([readFileSync(file).subarray(0, 2 * 8192), garbage(statSync(file).size - 2 * 8192)]),
      ),
  };
  for (const [name, damage] of Object.entries(damages)) {
    test(name, async () => {
      const { directory, file } = await filled();
      damage(file);
      const message = await refusal(directory);
      expect(message).toContain(`${file} is damaged`);
      expect(message).toMatch(/; restore a backup, or move it away to start empty$/);
    });
  }

  test('detects damaged pages anywhere in a file that its owner did not close', async () => {
    const source = temporaryDirectory();
    const running = await openEmbeddedStorage({ directory: source });
    for (let round = 0; round < 3; round += 1) {
      await running.createBatch(
        Array.from({ length: 2000 }, (_, index) => ({
          key: `/r${round}/${index}`,
          value: bytes('x'.repeat(1000)),
        })),
      );
    }
    const copy = temporaryDirectory();
    cpSync(source, copy, { recursive: true });
    await running.close();
    const file = join(copy, 'data.mdb');
    const sound = readFileSync(file);
    let refused = 0;
    for (let page = 2; page < sound.length / 8192; page += 40) {
      const damaged = Buffer.from(sound);
      garbage(8192).copy(damaged, page * 8192);
      writeFileSync(file, damaged);
      const opened = await openEmbeddedStorage({ directory: copy }).catch((error: Error) => error);
      if (opened instanceof Error) {
        expect(opened).toBeInstanceOf(DataDirectoryError);
        refused += 1;
      } else {
        // The page was free.
        expect((await opened.range({ start: '/', end: '0' })).entries).toHaveLength(6000);
        await opened.close();
      }
    }
    expect(refused).toBeGreaterThan(10);
  });

  test('detects a truncated file regardless of its last page', async () => {
    const { directory, file } = await filled();
    const size = statSync(file).size;
    const copy = temporaryDirectory();
    for (let cut = size - 8192; cut > size - 40 * 8192; cut -= 8192 * 3) {
      cpSync(directory, copy, { recursive: true });
      truncateSync(join(copy, 'data.mdb'), cut);
      // Free pages at the end may be missing; then all keys must still be readable.
      const opened = await openEmbeddedStorage({ directory: copy }).catch((error: Error) => error);
      if (opened instanceof Error) expect(opened).toBeInstanceOf(DataDirectoryError);
      else {
        expect(await opened.count('/', '0')).toBe(2001);
        await opened.close();
      }
      rmSync(copy, { recursive: true });
      mkdirSync(copy);
    }
  });
});

describe('backups', () => {
  test('opens a copy made during writes as a data directory', async () => {
    const directory = temporaryDirectory();
    const target = join(temporaryDirectory(), 'deep', 'copy');
    const storage = await openEmbeddedStorage({ directory });
    const before = await put(storage, '/before', 'here');
    const writers = Promise.all(
      Array.from({ length: 200 }, (_, index) => put(storage, `/w${index}`, 'x'.repeat(2000))),
    );
    await storage.backup(target);
    await writers;
    const copy = await openEmbeddedStorage({ directory: target });
    expect(text((await copy.get('/before')).entry!.value)).toBe('here');
    expect(copy.revision).toBeGreaterThanOrEqual(before);
    expect((await copy.range({ start: '/', end: '0' })).count).toBe(copy.revision - before + 1);
    expect(await put(copy, '/own', '')).toBe(copy.revision);
    await copy.close();
    await storage.close();
  });

  test('copies from another process while a server runs, and refuses a target that is not empty', async () => {
    const { directory } = await filled();
    const storage = await openEmbeddedStorage({ directory });
    const target = temporaryDirectory();
    const program = startProgram('backup.ts', [directory, target]);
    for await (const line of linesOf(program)) expect(line).toBe('done');
    const copy = await openEmbeddedStorage({ directory: target });
    expect(await copy.count('/', '0')).toBe(2001);
    await copy.close();
    await expect(storage.backup(target)).rejects.toThrow(
      /is not empty \(.*\): name a new or empty directory for the copy/,
    );
    await put(storage, '/goes-on', '');
    await storage.close();
    await expect(backupDirectory(temporaryDirectory(), join(target, 'x'))).rejects.toThrow(
      /is not a data directory/,
    );
    await expect(backupDirectory('/does/not/exist', join(target, 'x'))).rejects.toThrow(
      /cannot be read \(ENOENT\)/,
    );
  });

  test('restricts the permissions of the data and the copy to the owner', async () => {
    const { directory, file } = await filled();
    const target = temporaryDirectory();
    await backupDirectory(directory, target);
    for (const path of [file, join(target, 'data.mdb')]) expect(statSync(path).mode & 0o077).toBe(0);
  });

  test('opens a copy of the files of a running server, which that server does not own', async () => {
    const directory = temporaryDirectory();
    const storage = await openEmbeddedStorage({ directory });
    await put(storage, '/a', 'one');
    const copy = temporaryDirectory();
    for (const name of ['binnacle-storage', 'data.mdb'])
      copyFileSync(join(directory, name), join(copy, name));
    const other = await openEmbeddedStorage({ directory: copy });
    expect(text((await other.get('/a')).entry!.value)).toBe('one');
    await other.close();
    await storage.close();
  });
});

test('a library that cannot be loaded is no fault of the data directory', async () => {
  const problem = new ConfigurationError('the store needs a folder');
  const open = () => Promise.reject(problem);
  await expect(openEmbeddedStorage({ directory: temporaryDirectory(), open })).rejects.toBe(problem);
});
