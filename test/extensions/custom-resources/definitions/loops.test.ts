import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ownOperation } from '../../../../src/composition/definition-loops.ts';
import {
  type DefinitionLoops,
  startDefinitionLoops,
} from '../../../../src/extensions/custom-resources/definitions/index.ts';
import { schemeOf } from '../../../../src/model/scheme.ts';
import { Readers } from '../../../../src/reader/readers.ts';
import { createMemoryStorage } from '../../../../src/storage/memory/memory-storage.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import { ManualClock, settle } from '../../../reconcile/manual-clock.ts';
import { bothClocks } from '../../../support/both-clocks.ts';
import { loopTurns } from '../../../support/loop-turns.ts';
import { type SmallServer, smallServer } from '../../../support/small-server.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const MERGE = 'application/merge-patch+json';

let storage: Storage;
let server: SmallServer;
let clock: ManualClock;
let loops: DefinitionLoops;

const start = () => {
  const logger = { detail: () => undefined } as never;
  const { resources } = server;
  return startDefinitionLoops({
    resources,
    readers: new Readers({ resources, clock, logger }),
    storage,
    operation: ownOperation(server.operations, loopTurns(), schemeOf()),
    ...bothClocks(clock),
    logger,
  });
};

beforeEach(() => {
  storage = createMemoryStorage();
  server = smallServer({ storage });
  clock = new ManualClock();
  loops = start();
});
afterEach(async () => {
  await loops.stop();
  await server.close();
});

const definition = (plural: string, kind: string, names = {}, group = 'example.com') => ({
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural, kind, ...names },
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: { openAPIV3Schema: { type: 'object' } },
    })),
  },
});
const create = async (...parts: Parameters<typeof definition>) =>
  expect((await server.send('POST', DEFINITIONS, definition(...parts))).status).toBe(201);
const read = async (plural: string, group = 'example.com') =>
  (await server.send('GET', `${DEFINITIONS}/${plural}.${group}`)).object;
/** The conditions of a definition, or `gone`. */
const conditions = async (plural: string, group = 'example.com'): Promise<string[] | 'gone'> => {
  const object = await read(plural, group);
  if (object.kind === 'Status') return 'gone';
  return (object.status.conditions ?? []).map(
    ({ type, status, reason }: Record<string, string>) => `${type}=${status} ${reason}`,
  );
};
const ESTABLISHED = ['NamesAccepted=True NoConflicts', 'Established=True InitialNamesAccepted'];
const established = (plural: string) =>
  vi.waitFor(async () => expect(await conditions(plural)).toEqual(ESTABLISHED));
const serviceNames = async () =>
  (await server.send('GET', SERVICES)).object.items.map(
    ({ metadata }: { metadata: { name: string } }) => metadata.name,
  );
const revisions: { key: string }[] = [];
const recordWrites = () => {
  revisions.length = 0;
  storage.watch({
    start: '/registry/',
    end: '/registry0',
    onEvents: (events) => revisions.push(...events),
    onEnd: () => undefined,
  });
};
const instance = (name: string) => `/registry/example.com/things/default/${name}`;
const store = (name: string, metadata = {}) =>
  storage.transact({
    key: instance(name),
    expected: 0,
    value: Buffer.from(
      JSON.stringify(
        { metadata: { name, generation: 1, ...metadata }, spec: { size: 12345678901234567890n } },
        (_, value) => (typeof value === 'bigint' ? Number(value) : value),
      ),
    ),
  });
const stored = async (name: string) => (await storage.get(instance(name))).entry;
/** Lets a clean-up reach its next check. */
const pass = async (milliseconds: number) => {
  await settle();
  clock.advance(milliseconds);
  await settle();
};

it('establishes a definition in one write, as the API server', async () => {
  recordWrites();
  await create('things', 'Thing');
  await established('things');
  const writes = revisions.filter(({ key }) => key.includes('customresourcedefinitions'));
  expect(writes).toHaveLength(2);
  const { metadata, status } = await read('things');
  expect([metadata.generation, status.storedVersions]).toEqual([1, ['v1']]);
  expect(
    metadata.managedFields.map(({ manager, subresource }: Record<string, string>) => [manager, subresource]),
  ).toContainEqual(['kube-apiserver', 'status']);
});

it('gives names that become free to those who wait for them', async () => {
  await create('firsts', 'First', { shortNames: ['f', 'x'] });
  await established('firsts');
  await create('seconds', 'Second', { shortNames: ['f'] });
  await create('thirds', 'Third', { singular: 'first' });
  for (const plural of ['seconds', 'thirds'])
    await vi.waitFor(async () => expect((await conditions(plural))[1]).toBe('Established=False NotAccepted'));
  await server.send(
    'PATCH',
    `${DEFINITIONS}/firsts.example.com`,
    { spec: { names: { shortNames: ['x'] } } },
    MERGE,
  );
  await established('seconds');
  await server.send('DELETE', `${DEFINITIONS}/firsts.example.com`);
  await pass(100);
  await established('thirds');
});

it('does not give away the names of built-in resources', async () => {
  const approved = definition('leasees', 'Lease', {}, 'coordination.k8s.io');
  Object.assign(approved.metadata, { annotations: { 'api-approved.kubernetes.io': 'https://x.test/1' } });
  expect((await server.send('POST', DEFINITIONS, approved)).status).toBe(201);
  await vi.waitFor(async () =>
    expect(await conditions('leasees', 'coordination.k8s.io')).toEqual([
      'NamesAccepted=False ListKindConflict',
      'Established=False NotAccepted',
      'KubernetesAPIApprovalPolicyConformant=True ApprovedAnnotation',
    ]),
  );
});

it('continues with stored definitions after a restart', async () => {
  await loops.stop();
  await create('things', 'Thing');
  expect(await conditions('things')).toEqual([]);
  loops = start();
  await established('things');
});

it('creates, restores and removes the APIServices of served versions', async () => {
  await create('things', 'Thing');
  await vi.waitFor(async () => expect(await serviceNames()).toEqual(['v1.example.com', 'v2.example.com']));
  const { object: first } = await server.send('GET', `${SERVICES}/v1.example.com`);
  expect(first.spec).toEqual({
    group: 'example.com',
    version: 'v1',
    groupPriorityMinimum: 1000,
    versionPriority: 100,
  });
  expect(first.metadata.labels).toEqual({ 'kube-aggregator.kubernetes.io/automanaged': 'true' });
  expect(first.status.conditions[0]).toMatchObject({ type: 'Available', status: 'True', reason: 'Local' });

  await server.send('DELETE', `${SERVICES}/v1.example.com`);
  const service = { namespace: 'default', name: 'other', port: 443 };
  const foreign = { spec: { service, insecureSkipTLSVerify: true, versionPriority: 7 } };
  await server.send('PATCH', `${SERVICES}/v2.example.com`, foreign, MERGE);
  await vi.waitFor(async () => {
    for (const version of ['v1', 'v2'])
      expect((await server.send('GET', `${SERVICES}/${version}.example.com`)).object.spec).toEqual({
        ...first.spec,
        version,
      });
  });

  // Without the label it belongs to its writer.
  const unlabelled = { metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': null } } };
  await server.send('PATCH', `${SERVICES}/v2.example.com`, { ...unlabelled, ...foreign }, MERGE);
  await server.send('DELETE', `${DEFINITIONS}/things.example.com`);
  await pass(100);
  await vi.waitFor(async () => expect(await serviceNames()).toEqual(['v2.example.com']));
  expect((await server.send('GET', `${SERVICES}/v2.example.com`)).object.spec.service.name).toBe('other');
});

it('keeps an APIService until no definition serves its version', async () => {
  await create('things', 'Thing');
  await create('others', 'Other');
  await vi.waitFor(async () => expect(await serviceNames()).toHaveLength(2));
  const unserved = [{ op: 'replace', path: '/spec/versions/1/served', value: false }];
  const patch = (plural: string) =>
    server.send('PATCH', `${DEFINITIONS}/${plural}.example.com`, unserved, 'application/json-patch+json');
  await patch('things');
  await settle();
  expect(await serviceNames()).toHaveLength(2);
  await patch('others');
  await vi.waitFor(async () => expect(await serviceNames()).toEqual(['v1.example.com']));
});

it('know a write before its writer gets the response', async () => {
  await create('goods', 'Good');
  expect(loops.definitions.get('goods.example.com')).toBeDefined();
  const { object } = await server.send(
    'PATCH',
    `${DEFINITIONS}/goods.example.com`,
    { metadata: { finalizers: ['example.com/mine'] } },
    MERGE,
  );
  expect(object.metadata.finalizers).toEqual(['example.com/mine']);
  expect(loops.definitions.get('goods.example.com')!.finalizers).toEqual(['example.com/mine']);
});

it('marks a deleted definition, and removes its objects before it', async () => {
  await create('things', 'Thing');
  await established('things');
  await store('one');
  await store('held', { finalizers: ['example.com/hold'] });
  const { object: marked } = await server.send('DELETE', `${DEFINITIONS}/things.example.com`, {
    propagationPolicy: 'Foreground',
  });
  expect(marked.metadata).toMatchObject({
    deletionTimestamp: '2030-01-01T00:00:00Z',
    finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
    generation: 1,
  });
  expect(marked.metadata.deletionGracePeriodSeconds).toBeUndefined();
  expect(marked.status.conditions[2]).toMatchObject({ reason: 'InstanceDeletionPending', status: 'True' });
  await vi.waitFor(async () => expect(await stored('one')).toBeUndefined());
  const { value } = (await stored('held'))!;
  expect(JSON.parse(Buffer.from(value).toString())).toMatchObject({
    metadata: { generation: 2, deletionGracePeriodSeconds: 0, finalizers: ['example.com/hold'] },
  });
  for (const [propagationPolicy, more] of [
    ['Foreground', ['foregroundDeletion']],
    ['Background', []],
  ] as const) {
    const { object: again } = await server.send('DELETE', `${DEFINITIONS}/things.example.com`, {
      propagationPolicy,
    });
    expect([again.metadata.deletionGracePeriodSeconds, again.metadata.generation]).toEqual([0, 1]);
    expect(again.metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io', ...more]);
  }
  await pass(100);
  expect((await conditions('things'))[2]).toBe('Terminating=True InstanceDeletionInProgress');

  const { revision } = (await stored('held'))!;
  await storage.transact({ key: instance('held'), expected: revision, value: undefined });
  await vi.waitFor(async () => expect(await conditions('things')).toBe('gone'));
  expect(clock.waiting).toBe(0);
});

it('deletes objects that were created after its first pass', async () => {
  await create('things', 'Thing');
  await established('things');
  await server.send('DELETE', `${DEFINITIONS}/things.example.com`);
  await vi.waitFor(async () => expect((await conditions('things'))[2]).toContain('InProgress'));
  await settle();
  await store('late');
  await pass(100);
  expect(await conditions('things')).not.toBe('gone');
  await pass(5000);
  await vi.waitFor(async () => expect(await conditions('things')).toBe('gone'));
  expect(await stored('late')).toBeUndefined();
});

it('reports after a minute that objects are left, and tries again', async () => {
  await create('things', 'Thing');
  await established('things');
  await store('held', { finalizers: ['example.com/hold'] });
  await server.send('DELETE', `${DEFINITIONS}/things.example.com`);
  const seen = new Set<string>();
  for (let seconds = 0; seconds < 70; seconds += 1) {
    await pass(1000);
    seen.add(((await conditions('things')) as string[])[2]!);
  }
  expect([...seen]).toContain('Terminating=True InstanceDeletionCheck');
  const { revision } = (await stored('held'))!;
  await storage.transact({ key: instance('held'), expected: revision, value: undefined });
  await vi.waitFor(async () => {
    await pass(1000);
    expect(await conditions('things')).toBe('gone');
  });
});

it('reports a failure to list objects, and tries again with increasing pauses', async () => {
  await create('things', 'Thing');
  await established('things');
  const range = vi.spyOn(storage, 'range').mockRejectedValue(new Error('no'));
  await server.send('DELETE', `${DEFINITIONS}/things.example.com`);
  await vi.waitFor(async () =>
    expect((await conditions('things'))[2]).toBe('Terminating=True InstanceDeletionFailed'),
  );
  await settle();
  const attempts = range.mock.calls.length;
  await settle();
  expect(range.mock.calls.length).toBe(attempts);
  expect((await read('things')).status.conditions[2].message).toBe('could not list instances: no');
  range.mockRestore();
  await pass(100);
  expect((await conditions('things'))[2]).toBe('Terminating=True InstanceDeletionInProgress');
  await pass(100);
  await vi.waitFor(async () => expect(await conditions('things')).toBe('gone'));
});

it('keeps a cleaned-up definition with finalizers of others', async () => {
  await create('things', 'Thing');
  await established('things');
  const target = `${DEFINITIONS}/things.example.com`;
  await server.send('PATCH', target, { metadata: { finalizers: ['example.com/mine'] } }, MERGE);
  const { object } = await server.send('DELETE', target);
  expect(object.metadata.finalizers).toEqual([
    'example.com/mine',
    'customresourcecleanup.apiextensions.k8s.io',
  ]);
  await pass(100);
  await vi.waitFor(async () =>
    expect((await conditions('things'))[2]).toBe('Terminating=False InstanceDeletionCompleted'),
  );
  expect((await read('things')).metadata.finalizers).toEqual(['example.com/mine']);
});

it('removes a definition that was never established at once, and leaves what is stored in its place', async () => {
  await create('firsts', 'First');
  await established('firsts');
  await create('things', 'First');
  await vi.waitFor(async () => expect((await conditions('things'))[1]).toBe('Established=False NotAccepted'));
  await store('foreign');
  await server.send('DELETE', `${DEFINITIONS}/things.example.com`);
  await vi.waitFor(async () => expect(await conditions('things')).toBe('gone'));
  expect(await stored('foreign')).toBeDefined();
});

it('checks the preconditions of a deletion', async () => {
  await create('things', 'Thing');
  const target = `${DEFINITIONS}/things.example.com`;
  const { status, object } = await server.send('DELETE', target, { preconditions: { uid: 'x' } });
  expect([status, object.message]).toEqual([
    409,
    'Operation cannot be fulfilled on customresourcedefinitions.apiextensions.k8s.io "things.example.com": Precondition failed: UID in precondition: x, UID in object meta: uid-1',
  ]);
});
