import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CorruptObjectError } from '../../../src/storage/corrupt-object.ts';
import {
  backupDirectory,
  DataDirectoryError,
  openEmbeddedStorage,
} from '../../../src/storage/embedded/index.ts';
import type { ImmediateStorage, StoredEntry } from '../../../src/storage/storage.ts';
import { bytes, put, Recorder, remove, text } from '../helpers.ts';
import { temporaryDirectory } from '../temporary.ts';
import { changeRaw, rawBytes } from './raw.ts';

const all = { start: '/', end: '0' };

/** A closed store with the keys /a, /b (three revisions) and /c. */
async function filled(): Promise<{ directory: string; b: number[]; last: number }> {
  const directory = temporaryDirectory();
  const storage = await openEmbeddedStorage({ directory });
  await put(storage, '/a', 'value of a');
  const b = [await put(storage, '/b', 'first')];
  b.push(await put(storage, '/b', 'second', b[0]));
  b.push(await put(storage, '/b', 'third', b[1]));
  const last = await put(storage, '/c', 'value of c');
  await storage.close();
  return { directory, b, last };
}

async function opened<T>(directory: string, use: (storage: ImmediateStorage) => Promise<T>): Promise<T> {
  const storage = await openEmbeddedStorage({ directory });
  try {
    return await use(storage);
  } finally {
    await storage.close();
  }
}

const show = ({ key, value, corruption }: StoredEntry) =>
  corruption ? `${key} damaged` : `${key} ${text(value)}`;

describe('a corrupt record', () => {
  test('is detected for every changed byte, and other keys stay readable', async () => {
    const { directory, b } = await filled();
    let intact: Buffer = Buffer.alloc(0);
    await changeRaw(directory, ({ log }) => {
      intact = rawBytes(log, b[2]!);
    });
    for (let position = 0; position < intact.length; position += 1) {
      const flipped = Buffer.from(intact);
      flipped[position]! ^= 1 << (position % 8);
      await changeRaw(directory, ({ log }) => log.put(b[2]!, flipped));
      await opened(directory, async (storage) => {
        const { entry } = await storage.get('/b');
        expect(entry?.corruption, `byte ${position}`).toBeInstanceOf(CorruptObjectError);
        expect(entry!.corruption!.message).toMatch(
          /key "\/b": the stored bytes do not match their checksum; restore the object from a backup, or delete it/,
        );
        expect((await storage.range(all)).entries.map(show)).toEqual([
          '/a value of a',
          '/b damaged',
          '/c value of c',
        ]);
      });
    }
  });

  test('is detected for every changed bit of its head', async () => {
    const { directory } = await filled();
    let intact: Buffer = Buffer.alloc(0);
    await changeRaw(directory, ({ live }) => {
      intact = rawBytes(live, '/b');
    });
    for (let bit = 0; bit < intact.length * 8; bit += 3) {
      const flipped = Buffer.from(intact);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      await changeRaw(directory, ({ live }) => live.put('/b', flipped));
      await opened(directory, async (storage) => {
        expect((await storage.range(all)).entries.map(show), `bit ${bit}`).toEqual([
          '/a value of a',
          '/b damaged',
          '/c value of c',
        ]);
      });
    }
    await changeRaw(directory, ({ live }) => live.put('/b', intact.subarray(0, 10)));
    await opened(directory, async (storage) =>
      expect((await storage.get('/b')).entry?.corruption).toBeDefined(),
    );
  });

  test('is detected when it is stored under another key or missing', async () => {
    const { directory, b } = await filled();
    await changeRaw(directory, ({ live, log }) => {
      live.put('/b', rawBytes(live, '/c'));
      log.remove(b[0]! - 1);
    });
    await opened(directory, async (storage) => {
      expect((await storage.range(all)).entries.map(show)).toEqual([
        '/a damaged',
        '/b damaged',
        '/c value of c',
      ]);
      expect((await storage.get('/a')).entry!.corruption!.message).toContain('its record is missing');
      expect(show((await storage.get('/b', b[1]!)).entry!)).toBe('/b damaged');
    });
  });

  test('is detected in a past revision and by a watch that reads history', async () => {
    const { directory, b } = await filled();
    await changeRaw(directory, ({ log }) => {
      const record = rawBytes(log, b[1]!);
      record[record.length - 1]! ^= 1;
      log.put(b[1]!, record);
    });
    await opened(directory, async (storage) => {
      expect(show((await storage.get('/b')).entry!)).toBe('/b third');
      expect(show((await storage.get('/b', b[1]!)).entry!)).toBe('/b damaged');
      // Reading it follows the link of the corrupt record.
      expect(show((await storage.get('/b', b[0]!)).entry!)).toBe('/b damaged');
      expect((await storage.range({ ...all, revision: b[1]! })).entries.map(show)).toEqual([
        '/a value of a',
        '/b damaged',
      ]);
      const recorder = new Recorder(storage, b[0]!);
      await recorder.until(() => recorder.events.length === 4);
      expect(recorder.events.map(({ corruption }) => corruption?.key)).toEqual([
        undefined,
        '/b',
        undefined,
        undefined,
      ]);
      expect(recorder.events[2]!.previous!.corruption).toBeInstanceOf(CorruptObjectError);
    });
  });

  test('can be deleted and replaced, and compaction keeps the records of other keys', async () => {
    const { directory, b, last } = await filled();
    await changeRaw(directory, ({ live, log }) => {
      const record = rawBytes(log, b[2]!);
      // Its link to the previous change now points to the newest change of /c.
      record.writeUIntBE(last, 11, 6);
      log.put(b[2]!, record);
      const head = rawBytes(live, '/a');
      head.writeUIntBE(last, 0, 6);
      live.put('/a', head);
    });
    await opened(directory, async (storage) => {
      const recorder = new Recorder(storage);
      for (const key of ['/a', '/b']) {
        const entry = (await storage.get(key)).entry!;
        expect(await storage.transact({ key, expected: 0, value: bytes('') })).toMatchObject({
          succeeded: false,
          current: { corruption: { key } },
        });
        await remove(storage, key, entry.revision);
      }
      expect(recorder.events.map((event) => event.previous?.corruption?.key)).toEqual(['/a', '/b']);
      await put(storage, '/b', 'again');
      await storage.compact(storage.revision);
      expect((await storage.range(all)).entries.map(show)).toEqual(['/b again', '/c value of c']);
    });
    await opened(directory, async (storage) =>
      expect((await storage.range(all)).entries.map(show)).toEqual(['/b again', '/c value of c']),
    );
  });

  test('is reported by a backup, which is still complete', async () => {
    const { directory, b } = await filled();
    await changeRaw(directory, ({ live, log }) => {
      const [record, head] = [rawBytes(log, b[2]!), rawBytes(live, '/c')];
      record[record.length - 1]! ^= 1;
      head[0]! ^= 1;
      log.put(b[2]!, record);
      live.put('/c', head);
    });
    const [fromFile, fromStore] = [temporaryDirectory(), temporaryDirectory()];
    const named = (target: string) =>
      `${target} is a complete copy, but 2 of its values are corrupt ("/b", "/c"): restore these objects from an earlier backup, or delete them`;
    await expect(backupDirectory(directory, fromFile)).rejects.toThrow(
      new DataDirectoryError(named(fromFile)),
    );
    await opened(directory, async (storage) => {
      await expect(storage.backup(fromStore)).rejects.toThrow(named(fromStore));
    });
    for (const target of [fromFile, fromStore]) {
      expect(readdirSync(target).sort()).toEqual(['binnacle-storage', 'data.mdb']);
      await opened(target, async (storage) => {
        expect((await storage.range(all)).entries.map(show)).toEqual([
          '/a value of a',
          '/b damaged',
          '/c damaged',
        ]);
      });
    }
  });

  test('is detected in a data file with a changed byte', async () => {
    const { directory } = await filled();
    const file = join(directory, 'data.mdb');
    const data = readFileSync(file);
    for (let at = data.indexOf('value of c'); at >= 0; at = data.indexOf('value of c', at + 1))
      data[at]! ^= 0x20;
    writeFileSync(file, data);
    await opened(directory, async (storage) => {
      expect((await storage.range(all)).entries.map(show)).toEqual([
        '/a value of a',
        '/b third',
        '/c damaged',
      ]);
    });
  });
});

describe('directories in the format without checksums', () => {
  const record = (kind: number, createRevision: number, previous: number, key: string, value: string) => {
    const fixed = Buffer.alloc(15);
    fixed[0] = kind;
    fixed.writeUIntBE(createRevision, 1, 6);
    fixed.writeUIntBE(previous, 7, 6);
    fixed.writeUInt16BE(key.length, 13);
    return Buffer.concat([fixed, Buffer.from(key), Buffer.from(value)]);
  };
  const head = (revision: number, createRevision: number) => {
    const fixed = Buffer.alloc(18);
    fixed.writeUIntBE(revision, 0, 6);
    fixed.writeUIntBE(createRevision, 6, 6);
    return fixed;
  };
  const number = (value: number) => {
    const fixed = Buffer.alloc(6);
    fixed.writeUIntBE(value, 0, 6);
    return fixed;
  };

  test('are readable with their history, and get checksums as keys are written', async () => {
    const directory = temporaryDirectory();
    await opened(directory, async () => undefined);
    await changeRaw(directory, ({ live, log, deleted }) => {
      log.put(2, record(0, 2, 0, '/a', 'one'));
      log.put(3, record(0, 3, 0, '/gone', 'x'));
      log.put(4, record(0, 2, 2, '/a', 'two'));
      log.put(5, record(1, 0, 3, '/gone', ''));
      live.put('/a', head(4, 2));
      deleted.put('/gone', number(5));
    });
    const marker = join(directory, 'binnacle-storage');
    writeFileSync(marker, 'Binnacle embedded storage, format 1\n');
    await opened(directory, async (storage) => {
      expect(storage.revision).toBe(5);
      expect((await storage.range(all)).entries.map(show)).toEqual(['/a two']);
      expect((await storage.range({ ...all, revision: 3 })).entries.map(show)).toEqual(['/a one', '/gone x']);
      const recorder = new Recorder(storage, 2);
      await recorder.until(() => recorder.events.length === 4);
      expect(
        recorder.events.map(
          ({ type, key, previous }) => `${type} ${key} ${previous ? text(previous.value) : '-'}`,
        ),
      ).toEqual(['put /a -', 'put /gone -', 'put /a one', 'delete /gone x']);
      await put(storage, '/a', 'three', 4);
    });
    // Versions without support for checksums refuse the directory from now on.
    expect(readFileSync(marker, 'utf8')).toBe('Binnacle embedded storage, format 2\n');
    await changeRaw(directory, ({ log }) => {
      const changed = rawBytes(log, 6);
      changed[changed.length - 1]! ^= 1;
      log.put(6, changed);
    });
    await opened(directory, async (storage) =>
      expect((await storage.get('/a')).entry!.corruption).toBeDefined(),
    );
  });
});
