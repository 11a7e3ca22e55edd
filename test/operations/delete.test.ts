import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import type { ImmediateStorage, StoreEvent } from '../../src/storage/storage.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

const pods = '/api/v1/namespaces/n/pods';
const maps = '/api/v1/namespaces/n/configmaps';
const spec = { containers: [{ name: 'c', image: 'i' }] };

let server: SmallServer;
let storage: ImmediateStorage;
let events: StoreEvent['type'][];

beforeEach(() => {
  storage = createMemoryStorage();
  events = [];
  server = smallServer({ storage });
  storage.watch({
    start: '/registry/',
    end: '/registry0',
    onEvents: (batch) => events.push(...batch.map(({ type }) => type)),
    onEnd: () => undefined,
  });
});
afterEach(() => server.close());

it.each([
  ['no node', {}, ''],
  ['no grace asked for', { nodeName: 'node' }, '?gracePeriodSeconds=0'],
  ['an own grace of none', { nodeName: 'node', terminationGracePeriodSeconds: 0 }, ''],
])('marks a pod before it is removed, with %s', async (_, own, query) => {
  await server.send('POST', pods, { metadata: { name: 'p' }, spec: { ...spec, ...own } });
  const { status, object } = await server.send('DELETE', `${pods}/p${query}`);
  expect([status, events]).toEqual([200, ['put', 'put', 'delete']]);
  expect([object.metadata.deletionTimestamp, object.metadata.deletionGracePeriodSeconds]).toEqual([
    '2030-01-01T00:00:00Z',
    0,
  ]);
  expect(object.metadata.resourceVersion).toBe(String(storage.revision));
});

it('updates the mark of a pod if the grace period is shortened', async () => {
  await server.send('POST', pods, { metadata: { name: 'p' }, spec: { ...spec, nodeName: 'node' } });
  await server.send('DELETE', `${pods}/p`);
  await server.send('DELETE', `${pods}/p?gracePeriodSeconds=0`);
  expect(events).toEqual(['put', 'put', 'put', 'delete']);
});

it('marks a pod with a finalizer once', async () => {
  await server.send('POST', pods, { metadata: { name: 'p', finalizers: ['example.com/wait'] }, spec });
  await server.send('DELETE', `${pods}/p?gracePeriodSeconds=0`);
  expect(events).toEqual(['put', 'put']);
});

it('removes other kinds without a mark, and writes nothing in a dry run', async () => {
  await server.send('POST', maps, { metadata: { name: 'm' } });
  await server.send('POST', pods, { metadata: { name: 'p' }, spec });
  await server.send('DELETE', `${pods}/p?dryRun=All`);
  await server.send('DELETE', `${maps}/m`);
  expect(events).toEqual(['put', 'put', 'delete']);
});

it.each([
  ['orphan', {}],
  ['foregroundDeletion', {}],
  ['orphan', { propagationPolicy: 'Foreground' }],
  ['foregroundDeletion', { orphanDependents: true }],
])(
  'removes an event, which has no dependents, in spite of the finalizer %s and %j',
  async (finalizer, options) => {
    const path = '/api/v1/namespaces/n/events';
    const finalizers = [finalizer, 'example.com/wait'];
    await server.send('POST', path, {
      metadata: { name: 'e', finalizers },
      involvedObject: { namespace: 'n' },
    });
    const marked = await server.send('DELETE', `${path}/e`, {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      ...options,
    });
    expect(marked.object.metadata.finalizers).toEqual(['example.com/wait']);
    await server.send('POST', path, {
      metadata: { name: 'f', finalizers: [finalizer] },
      involvedObject: { namespace: 'n' },
    });
    await server.send('DELETE', `${path}/f`, { kind: 'DeleteOptions', apiVersion: 'v1', ...options });
    expect((await server.send('GET', `${path}/f`)).status).toBe(404);
  },
);

it('reads the options from the body instead of the query', async () => {
  await server.send('POST', maps, { metadata: { name: 'm' } });
  const odd = await server.send('DELETE', `${maps}/m?dryRun=Odd`, { dryRun: ['All'] });
  expect([odd.status, events]).toEqual([200, ['put']]);
  await server.send('DELETE', `${maps}/m?dryRun=All`, { kind: 'DeleteOptions', apiVersion: 'v1' });
  expect(events).toEqual(['put', 'delete']);
});

it('checks a precondition against the version before the mark', async () => {
  const { object } = await server.send('POST', pods, { metadata: { name: 'p' }, spec });
  const { resourceVersion, uid } = object.metadata;
  const wrong = await server.send('DELETE', `${pods}/p`, {
    preconditions: { resourceVersion: '1', uid: 'other' },
  });
  expect([wrong.status, events]).toEqual([409, ['put']]);
  expect((await server.send('DELETE', `${pods}/p`, { preconditions: { resourceVersion, uid } })).status).toBe(
    200,
  );
});

it('reports to a creator that the object is being deleted', async () => {
  const object = { metadata: { name: 'm', finalizers: ['example.com/wait'] } };
  await server.send('POST', maps, object);
  const before = await server.send('POST', maps, object);
  await server.send('DELETE', `${maps}/m`);
  const after = await server.send('POST', maps, object);
  expect([before.object.message, after.object.message]).toEqual([
    'configmaps "m" already exists',
    'object is being deleted: configmaps "m" already exists',
  ]);
  expect([after.status, after.object.reason, after.object.details]).toEqual([
    409,
    'AlreadyExists',
    { name: 'm', kind: 'configmaps' },
  ]);
});
