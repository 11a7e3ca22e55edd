import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import type { ImmediateStorage } from '../../src/storage/storage.ts';
import { LateStorage } from '../storage/late-storage.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

const maps = '/api/v1/namespaces/n/configmaps';
const one = `${maps}/one`;
const merge = 'application/merge-patch+json';
const map = (value: string, metadata = {}) => ({ metadata: { name: 'one', ...metadata }, data: { value } });

/** A server whose store delivers late, and another server of the same cluster. */
let late: LateStorage;
let inner: ImmediateStorage;
let server: SmallServer;
let other: SmallServer;
let writes: number;

beforeEach(async () => {
  inner = createMemoryStorage();
  late = new LateStorage(inner);
  writes = 0;
  const transact = late.transact.bind(late);
  late.transact = (transaction) => {
    writes += 1;
    return transact(transaction);
  };
  server = smallServer({ storage: late });
  other = smallServer({ storage: inner });
  await server.send('GET', maps);
});
afterEach(async () => {
  late.release();
  await server.close();
  await other.close();
});

describe('a write while the cache is behind', () => {
  it('continues what this server wrote, without a read or a lost attempt', async () => {
    late.hold();
    const created = await server.send('POST', maps, map('1'));
    const updated = await server.send('PUT', one, map('2'));
    const patched = await server.send('PATCH', one, { data: { other: 'x' } }, merge);
    expect([created.status, updated.status, patched.status]).toEqual([201, 200, 200]);
    expect(patched.object.data).toEqual({ value: '2', other: 'x' });
    const removed = await server.send('DELETE', one);
    expect([removed.status, writes, late.gets]).toEqual([200, 4, 0]);
    const again = await server.send('POST', maps, map('3'));
    expect(again.status).toBe(201);
    const replaced = await server.send(
      'PUT',
      one,
      map('4', { resourceVersion: again.object.metadata.resourceVersion }),
    );
    expect([replaced.status, late.gets]).toEqual([200, 0]);
  });

  it('is never read from here before it is delivered; a read of the latest state waits for it', async () => {
    late.hold();
    const { object } = await server.send('POST', maps, map('1'));
    const cached = await server.send('GET', `${maps}?resourceVersion=0`);
    expect(cached.object.items).toEqual([]);
    expect((await server.send('GET', `${one}?resourceVersion=0`)).status).toBe(404);
    let answered = 0;
    const reads = [one, maps, `${one}?resourceVersion=${object.metadata.resourceVersion}`].map(
      async (path) => {
        const answer = await server.send('GET', path);
        answered += 1;
        return answer;
      },
    );
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(0);
    late.release();
    const [single, list, exact] = await Promise.all(reads);
    expect([single!.status, list!.object.items.length, exact!.status]).toEqual([200, 1, 200]);
  });

  it('starts from the record of another server after one lost attempt', async () => {
    await server.send('POST', maps, map('1'));
    await server.send('GET', one);
    late.hold();
    await other.send('PATCH', one, { data: { other: 'x' } }, merge);
    writes = 0;
    const patched = await server.send('PATCH', one, { data: { value: '2' } }, merge);
    expect(patched.object.data).toEqual({ value: '2', other: 'x' });
    expect([writes, late.gets]).toEqual([2, 0]);
  });
});

describe('an outcome without a write is computed from one read', () => {
  beforeEach(async () => {
    await server.send('POST', maps, map('1'));
    await server.send('GET', one);
    late.hold();
    late.gets = 0;
  });

  it('not found: another server has created the object', async () => {
    await other.send('POST', maps, { metadata: { name: 'two' } });
    const patched = await server.send('PATCH', `${maps}/two`, { data: { a: 'b' } }, merge);
    expect([patched.status, late.gets]).toEqual([200, 1]);
    await other.send('POST', maps, { metadata: { name: 'three' } });
    const removed = await server.send('DELETE', `${maps}/three`);
    expect([removed.status, late.gets]).toEqual([200, 2]);
    const missing = await server.send('DELETE', `${maps}/four`);
    expect([missing.status, late.gets]).toEqual([404, 3]);
  });

  it('conflict: the client knows a newer version', async () => {
    const { object } = await other.send('PUT', one, map('2'));
    const updated = await server.send('PUT', one, { ...object, data: { value: '3' } });
    expect([updated.status, late.gets]).toEqual([200, 1]);
    const preconditions = { resourceVersion: updated.object.metadata.resourceVersion };
    const stale = await server.send('PUT', one, { ...object, data: { value: '4' } });
    expect([stale.status, late.gets]).toEqual([409, 2]);
    expect((await server.send('DELETE', one, { preconditions })).status).toBe(200);
  });

  it('invalid: the field that may not change is the current one', async () => {
    await other.send('DELETE', one);
    await other.send('POST', maps, { ...map('1'), immutable: true });
    // In the cached state the change is allowed; in the current state it is not.
    const refused = await server.send('PATCH', one, { data: { value: '2' } }, merge);
    expect(refused.status).toBe(422);
    await other.send('DELETE', one);
    await other.send('POST', maps, map('1'));
    late.release();
    await server.send('GET', one);
    await other.send('DELETE', one);
    await other.send('POST', maps, { ...map('1'), immutable: true });
    await server.send('GET', one);
    late.hold();
    await other.send('DELETE', one);
    await other.send('POST', maps, map('1'));
    // In the cached state the change is refused; in the current state it is allowed.
    const allowed = await server.send('PATCH', one, { data: { value: '2' } }, merge);
    expect(allowed.status).toBe(200);
  });

  it('nothing to change: another server has changed it', async () => {
    await other.send('PUT', one, map('2'));
    const patched = await server.send('PATCH', one, { data: { value: '1' } }, merge);
    expect([patched.object.data, late.gets]).toEqual([{ value: '1' }, 1]);
    const unchanged = await server.send('PATCH', one, { data: { value: '1' } }, merge);
    expect([unchanged.object.metadata.resourceVersion, late.gets]).toEqual([
      patched.object.metadata.resourceVersion,
      2,
    ]);
  });

  it('dry run', async () => {
    await other.send('PATCH', one, { data: { other: 'x' } }, merge);
    const patched = await server.send('PATCH', `${one}?dryRun=All`, { data: { value: '2' } }, merge);
    expect(patched.object.data).toEqual({ value: '2', other: 'x' });
    await other.send('POST', maps, { metadata: { name: 'two' } });
    const taken = await server.send('POST', `${maps}?dryRun=All`, { metadata: { name: 'two' } });
    expect([taken.status, taken.object.reason]).toEqual([409, 'AlreadyExists']);
    await other.send('DELETE', one);
    expect((await server.send('DELETE', `${one}?dryRun=All`)).status).toBe(404);
  });

  it('name in use by an object that is being deleted', async () => {
    await other.send('POST', maps, { metadata: { name: 'two', finalizers: ['example.com/wait'] } });
    await other.send('DELETE', `${maps}/two`);
    const taken = await server.send('POST', maps, { metadata: { name: 'two' } });
    expect(taken.object.message).toBe('object is being deleted: configmaps "two" already exists');
  });
});

it('a store that applies changes at once is never read for an outcome', async () => {
  let gets = 0;
  const storage = createMemoryStorage();
  const get = storage.get.bind(storage);
  storage.get = (...given) => {
    gets += 1;
    return get(...given);
  };
  const direct = smallServer({ storage });
  await direct.send('POST', maps, map('1'));
  const statuses: number[] = [];
  for (const [method, path, body] of [
    ['PATCH', one, { data: { value: '1' } }],
    ['PATCH', `${maps}/none`, {}],
    ['PATCH', one, { metadata: { uid: 'another' } }],
    ['PATCH', `${one}?dryRun=All`, { data: { value: '2' } }],
    ['POST', `${maps}?dryRun=All`, map('1')],
    ['POST', maps, map('1')],
    ['DELETE', `${maps}/none`, undefined],
  ] as const)
    statuses.push((await direct.send(method, path, body, method === 'PATCH' ? merge : undefined)).status);
  expect([statuses, gets]).toEqual([[200, 404, 422, 200, 409, 409, 404], 0]);
  await direct.close();
});
