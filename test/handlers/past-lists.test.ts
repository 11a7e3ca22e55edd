import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import type { RangeOptions, RangeResult, Storage } from '../../src/storage/storage.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

const MERGE = 'application/merge-patch+json';
const maps = '/api/v1/namespaces/n/configmaps';
const COUNT = 300;
const nameOf = (index: number) => `m${String(index).padStart(4, '0')}`;
/** Long enough that the objects exceed the memory limit of a list. */
const text = 'x'.repeat(16 * 1024);

let server: SmallServer;
let past: string;
let ranges: (RangeOptions & { found: number })[];

beforeEach(async () => {
  const storage = createMemoryStorage();
  ranges = [];
  const watched = new Proxy(storage, {
    get: (target, name) => {
      if (name === 'range')
        return (options: RangeOptions) => {
          const result = target.range(options) as RangeResult;
          if (options.revision !== undefined) ranges.push({ ...options, found: result.entries.length });
          return result;
        };
      const member = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  }) as Storage;
  server = smallServer({ storage: watched });
  for (let index = 0; index < COUNT; index += 1)
    await server.send('POST', maps, {
      metadata: { name: nameOf(index), labels: { even: String(index % 2 === 0) } },
      data: { text },
    });
  past = (await server.send('GET', maps)).object.metadata.resourceVersion;
  // Later changes are not part of that state.
  await server.send('PATCH', `${maps}/${nameOf(1)}`, { data: { text: 'later' } }, MERGE);
  await server.send('DELETE', `${maps}/${nameOf(2)}`);
  await server.send('POST', maps, { metadata: { name: 'a-later' } });
});
afterEach(() => server.close());

const list = (query: string) =>
  server.send('GET', `${maps}?resourceVersion=${past}&resourceVersionMatch=Exact${query}`);
const namesOf = (object: { items: { metadata: { name: string } }[] }) =>
  object.items.map(({ metadata }) => metadata.name);
const ALL = Array.from({ length: COUNT }, (_, index) => nameOf(index));
const readRecords = () =>
  ranges.filter(({ keysOnly }) => keysOnly !== true).reduce((sum, { found }) => sum + found, 0);

describe('a list at a past version', () => {
  it('with a limit reads only that many objects, and counts the rest once for all requests', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => list('&limit=1')));
    for (const { status, object } of answers)
      expect([
        status,
        namesOf(object),
        object.metadata.remainingItemCount,
        object.metadata.resourceVersion,
      ]).toEqual([200, [nameOf(0)], COUNT - 1, past]);
    expect(readRecords()).toBeLessThanOrEqual(20);
    expect(ranges.filter(({ keysOnly }) => keysOnly === true)).toHaveLength(1);
  });

  it('continues in chunks that begin where the previous one ended', async () => {
    let { object } = await list('&limit=40');
    const seen = namesOf(object);
    const remaining = [object.metadata.remainingItemCount];
    const read = [readRecords()];
    while (object.metadata.continue !== undefined) {
      ({ object } = await server.send('GET', `${maps}?limit=40&continue=${object.metadata.continue}`));
      seen.push(...namesOf(object));
      remaining.push(object.metadata.remainingItemCount);
      read.push(readRecords());
    }
    expect(seen).toEqual(ALL);
    expect(remaining).toEqual([260, 220, 180, 140, 100, 60, 20, undefined]);
    // At most one page of the store more than requested.
    expect(Math.max(...read.map((total, index) => total - (read[index - 1] ?? 0)))).toBeLessThanOrEqual(100);
    expect(ranges.filter(({ keysOnly }) => keysOnly === true)).toHaveLength(1);
  });

  it('of one name reads only that object', async () => {
    const { object } = await list(`&fieldSelector=metadata.name%3D${nameOf(2)}`);
    expect(namesOf(object)).toEqual([nameOf(2)]);
    expect(readRecords()).toBe(1);
  });

  it('selects by labels, in chunks', async () => {
    let { object } = await list('&labelSelector=even%3Dtrue&limit=100');
    const seen = namesOf(object);
    expect([seen.length, object.metadata.remainingItemCount]).toEqual([100, undefined]);
    while (object.metadata.continue !== undefined) {
      ({ object } = await server.send(
        'GET',
        `${maps}?labelSelector=even%3Dtrue&limit=100&continue=${object.metadata.continue}`,
      ));
      seen.push(...namesOf(object));
    }
    expect(seen).toEqual(ALL.filter((_, index) => index % 2 === 0));
  });

  it.each(['', '&limit=250', '&labelSelector=even'])('is sent in pages if it is large: %s', async (query) => {
    const { object } = await list(query);
    expect(namesOf(object)).toEqual(query.includes('250') ? ALL.slice(0, 250) : ALL);
    expect(object.items[1].data.text).toBe(text);
    expect(Math.max(...ranges.map(({ found }) => found))).toBeLessThanOrEqual(100);
    expect(object.metadata.remainingItemCount).toBe(query.includes('250') ? 50 : undefined);
  });

  it('is the same list as protobuf, as a table and as metadata', async () => {
    const as = async (accept: string) =>
      (
        await server.send(
          'GET',
          `${maps}?resourceVersion=${past}&resourceVersionMatch=Exact`,
          undefined,
          undefined,
          accept,
        )
      ).bytes;
    const plain = (await list('')).bytes;
    const table = JSON.parse((await as('application/json;as=Table;v=v1;g=meta.k8s.io')).toString());
    expect(table.rows.map(({ cells }: { cells: string[] }) => cells[0])).toEqual(ALL);
    const metadata = JSON.parse(
      (await as('application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io')).toString(),
    );
    expect([metadata.kind, namesOf(metadata)]).toEqual(['PartialObjectMetadataList', ALL]);
    const protobuf = await as('application/vnd.kubernetes.protobuf');
    const { decodeEnvelope } = await import('../../src/codec/envelope.ts');
    const { decodeMessage } = await import('../../src/codec/protobuf.ts');
    const { kindType } = await import('../support/types.ts');
    const decoded = decodeMessage(
      kindType('', 'v1', 'ConfigMapList')!,
      decodeEnvelope(protobuf).raw,
    ) as unknown as { items: { metadata: { name: string } }[] };
    expect(namesOf(decoded)).toEqual(ALL);
    expect(namesOf(JSON.parse(plain.toString()))).toEqual(ALL);
  });

  it('deletes nothing, because the version is also a precondition of each object', async () => {
    const before = namesOf((await server.send('GET', maps)).object);
    const { status, object } = await server.send(
      'DELETE',
      `${maps}?resourceVersion=${past}&resourceVersionMatch=Exact&labelSelector=even%3Dfalse`,
    );
    expect([status, object.reason]).toEqual([409, 'Conflict']);
    expect(namesOf((await server.send('GET', maps)).object)).toEqual(before);
  });
});
