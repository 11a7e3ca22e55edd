import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkStore } from '../../src/storage/embedded/check-store.ts';
import { readHead } from '../../src/storage/embedded/encoding.ts';
import { openEmbeddedStorage } from '../../src/storage/embedded/index.ts';
import {
  embeddedSource,
  embeddedTarget,
  raiseRevision,
} from '../../src/storage/transfer/embedded-transfer.ts';
import { transfer } from '../../src/storage/transfer/transfer.ts';
import { changeRaw } from './embedded/raw.ts';
import { bytes, put, remove, text } from './helpers.ts';

let directory: string;
const at = (name: string) => join(directory, name);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'transfer-'));
  const storage = await openEmbeddedStorage({ directory: at('source') });
  const first = await put(storage, '/registry/a', 'one');
  await put(storage, '/registry/a', 'two', first);
  await put(storage, '/registry/b', 'é', 0, 3600);
  const gone = await put(storage, '/registry/gone', 'x');
  await remove(storage, '/registry/gone', gone);
  for (let index = 0; index < 1200; index += 1) await put(storage, `/registry/many/${index}`, String(index));
  await remove(storage, '/registry/many/1199', await storage.currentRevision());
  await storage.close();
});
afterAll(() => rm(directory, { recursive: true }));

async function copy(from: string, to: string, lines: string[] = []) {
  const source = await embeddedSource(at(from));
  const target = await embeddedTarget(at(to));
  try {
    return await transfer(source, target, (line) => lines.push(line));
  } finally {
    await target.close();
    await source.close();
  }
}

describe('a transfer between data directories', () => {
  it('keeps values, revisions and expiries, and compacts the history', async () => {
    const lines: string[] = [];
    const result = await copy('source', 'copy', lines);
    expect(result.keys).toBe(1201);
    expect(lines).toEqual([`copied 1201 keys; the source is at revision ${result.revision}`]);
    const [before, after] = [
      await openEmbeddedStorage({ directory: at('source') }),
      await openEmbeddedStorage({ directory: at('copy') }),
    ];
    const all = { start: '/', end: '0' };
    expect((await after.range(all)).entries).toEqual((await before.range(all)).entries);
    expect(after.revision).toBe(before.revision);
    expect(after.compactedRevision).toBe(after.revision);
    expect(() => after.range({ ...all, revision: after.revision - 1 })).toThrow('has been compacted');
    const next = await put(after, '/registry/new', 'x');
    expect(next).toBe(result.revision + 1);
    await before.close();
    await after.close();
    const expiries: number[] = [];
    for (const name of ['source', 'copy'])
      await changeRaw(at(name), ({ live }) => {
        expiries.push(live.get('/registry/b', readHead)!.deadline);
      });
    expect(expiries[0]).toBeGreaterThan(0);
    expect(expiries[1]).toBe(expiries[0]);
  });

  it('refuses a source in use and a target with files', async () => {
    const storage = await openEmbeddedStorage({ directory: at('source') });
    await expect(embeddedSource(at('source'))).rejects.toThrow(`is in use by process ${process.pid}`);
    await storage.close();
    await expect(embeddedTarget(at('source'))).rejects.toThrow('is not empty');
    await expect(embeddedSource(at('absent'))).rejects.toMatchObject({ name: 'DataDirectoryError' });
  });

  it('leaves no data directory when it fails', async () => {
    const target = await embeddedTarget(at('failed'));
    await target.close();
    await expect(embeddedSource(at('failed'))).rejects.toThrow('failed');
  });

  it('refuses values that are bound to another prefix', async () => {
    const source = await embeddedSource(at('source'));
    const encrypted = {
      ...source,
      prefix: '/other',
      async *entries() {
        yield [
          {
            key: '/registry/a',
            value: bytes('k8s:enc:aesgcm:v1:k:x'),
            revision: 1,
            createRevision: 1,
            expires: 0,
          },
        ];
      },
    };
    const target = await embeddedTarget(at('bound'));
    await expect(transfer(encrypted, target, () => undefined)).rejects.toThrow(
      '"/registry/a" is encrypted and bound to the prefix /other: keep that prefix instead of /registry',
    );
    await target.close();
    await source.close();
  });

  it('writes few large commits', async () => {
    const target = await embeddedTarget(at('commits'));
    const stored = async () => {
      let keys = 0;
      for await (const entries of target.entries()) keys += entries.length;
      return keys;
    };
    const entry = (revision: number) => ({
      key: `/registry/${revision}`,
      value: Buffer.alloc(4 << 20),
      revision,
      createRevision: revision,
      expires: 0,
    });
    const kept: number[] = [];
    for (let revision = 1; revision <= 9; revision += 1) {
      await target.write([entry(revision)]);
      kept.push(await stored());
    }
    expect(kept).toEqual([0, 0, 0, 0, 0, 0, 0, 8, 8]);
    await target.finish(9, () => undefined);
    expect(await stored()).toBe(9);
    await target.close();
  });

  it('refuses keys that were written at one revision', async () => {
    const target = await embeddedTarget(at('shared'));
    const entry = { value: bytes('x'), revision: 7, createRevision: 7, expires: 0 };
    await target.write([
      { key: '/registry/a', ...entry },
      { key: '/registry/b', ...entry },
    ]);
    await expect(target.finish(7, () => undefined)).rejects.toThrow(
      '"/registry/b" was written in one transaction with another key, at revision 7',
    );
    await target.close();
  });

  it('reports progress while it copies and compares', async () => {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 2500));
    const lines: string[] = [];
    try {
      await copy('source', 'reported', lines);
    } finally {
      clock.mockRestore();
    }
    expect(lines[0]).toBe('copied 500 keys');
    expect(lines).toContain('compared 1 of 1201 keys');
    // One of them expires.
    expect(lines.at(-1)).toBe('compared 1200 of 1201 keys');
  });

  it('notices a copy that differs, and a source that changed', async () => {
    const source = await embeddedSource(at('source'));
    const target = await embeddedTarget(at('differs'));
    const wrong = {
      ...target,
      write: (entries: Parameters<typeof target.write>[0]) =>
        target.write(
          entries.map((entry) =>
            entry.key === '/registry/many/7' ? { ...entry, value: bytes('!') } : entry,
          ),
        ),
    };
    await expect(transfer(source, wrong, () => undefined)).rejects.toThrow(
      '"/registry/many/7" differs in the copy',
    );
    await target.close();
    const other = await embeddedTarget(at('changed'));
    const changed = { ...source, isUnchanged: async () => false };
    await expect(transfer(changed, other, () => undefined)).rejects.toThrow('the source was changed');
    await other.close();
    await source.close();
  });
});

describe('a restored directory', () => {
  it('has a higher revision, and every earlier one is compacted', async () => {
    await copy('source', 'restored');
    const revision = await raiseRevision(at('restored'), 1000);
    const storage = await openEmbeddedStorage({ directory: at('restored') });
    expect(storage.revision).toBe(revision);
    expect(storage.compactedRevision).toBe(revision);
    expect(text((await storage.get('/registry/a')).entry!.value)).toBe('two');
    expect(await put(storage, '/registry/new', 'x')).toBe(revision + 1);
    await expect(raiseRevision(at('restored'), 1)).rejects.toThrow('is in use');
    await storage.close();
  });
});

describe('the check of a directory', () => {
  const check = async (name: string) => {
    const problems: string[] = [];
    const checked = await checkStore(
      at(name),
      (_key, value) => {
        if (text(value) === 'é') throw new Error('not a number');
      },
      (key, problem) => problems.push(`${key}: ${problem}`),
    );
    return { ...checked, problems };
  };

  it('finds values that cannot be decoded', async () => {
    const { keys, problems } = await check('source');
    expect(keys).toBe(1201);
    expect(problems).toEqual(['/registry/b: its value cannot be decoded: not a number']);
  });

  it('finds damaged records and tables that disagree', async () => {
    await copy('source', 'damaged');
    let expiring = 0;
    await changeRaw(at('damaged'), ({ live, log, leases }) => {
      const revision = live.get('/registry/a', readHead)!.revision;
      const record = log.get(revision, (buffer, size) => Buffer.from(buffer.subarray(0, size)))!;
      record[record.length - 1]! ^= 1;
      log.put(revision, record);
      log.remove(live.get('/registry/many/5', readHead)!.revision);
      expiring = live.get('/registry/b', readHead)!.deadline;
      for (const key of leases.keys('', undefined, 10)) leases.remove(key);
    });
    expect(expiring).toBeGreaterThan(0);
    const { problems } = await check('damaged');
    expect(problems).toEqual([
      expect.stringMatching(/^\/registry\/a: its record at revision \d+ is damaged$/),
      '/registry/b: it expires, and is not in the table of expiries',
      expect.stringMatching(/^\/registry\/many\/5: its record at revision \d+ is missing$/),
      expect.stringMatching(/^\/registry\/a: the record of history at revision \d+ is damaged$/),
    ]);
  });
});
