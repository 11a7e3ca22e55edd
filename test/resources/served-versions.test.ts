import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

const MERGE = 'application/merge-patch+json';
const core = '/api/v1/namespaces/n/events';
const events = '/apis/events.k8s.io/v1/namespaces/n/events';
const event = (name: string, pod: string) => ({
  metadata: { name, namespace: 'n' },
  involvedObject: { kind: 'Pod', namespace: 'n', name: pod },
  reason: 'Tested',
  type: 'Normal',
  source: { component: 'tester' },
});

const newEvent = {
  metadata: { name: 'a', namespace: 'n' },
  regarding: { kind: 'Pod', namespace: 'n', name: 'web-0' },
  reason: 'Tested',
  action: 'Testing',
  type: 'Normal',
  note: 'n',
  eventTime: '2030-01-01T00:00:00.000000Z',
  reportingController: 'example.com/tester',
  reportingInstance: 'tester-0',
};

let server: SmallServer;
beforeEach(() => {
  server = smallServer({ storage: createMemoryStorage() });
});
afterEach(() => server.close());

const names = async (path: string, selector: string): Promise<string[]> => {
  const { status, object } = await server.send(
    'GET',
    `${path}?fieldSelector=${encodeURIComponent(selector)}`,
  );
  expect(status).toBe(200);
  return object.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
};

describe('kind that two groups serve', () => {
  it.each([
    ['core', core, events],
    ['events.k8s.io', events, core],
  ])('selects by the fields of the requested version, when %s is used first', async (_, first, second) => {
    await server.send('GET', first);
    await server.send('GET', second);
    await server.send('POST', core, event('a', 'web-0'));
    await server.send('POST', core, event('b', 'web-1'));
    expect(await names(core, 'involvedObject.name=web-0,involvedObject.kind=Pod')).toEqual(['a']);
    expect(await names(events, 'regarding.name=web-1')).toEqual(['b']);
    expect(await names(core, 'source=tester,involvedObject.name!=web-0')).toEqual(['b']);
    expect(await names(events, 'reportingController=tester')).toEqual([]);
    expect(await names(events, 'regarding.kind=Pod,metadata.name=a,reason=Tested')).toEqual(['a']);
  });

  it('rejects field selectors of the other version', async () => {
    const errorOf = async (path: string, selector: string) =>
      (await server.send('GET', `${path}?fieldSelector=${selector}`)).object.message;
    expect(await errorOf(core, 'regarding.name=x')).toContain('field label not supported: regarding.name');
    expect(await errorOf(events, 'involvedObject.name=x')).toContain(
      'field label not supported: involvedObject.name',
    );
  });

  it.each([
    ['core', core, events],
    ['events.k8s.io', events, core],
  ])('deletes the objects that the version selects, when %s is used first', async (_, first) => {
    await server.send('GET', first);
    await server.send('POST', core, event('a', 'web-0'));
    await server.send('POST', core, event('b', 'web-1'));
    await server.send('DELETE', `${core}?fieldSelector=involvedObject.name%3Dweb-0`);
    expect(await names(core, '')).toEqual(['b']);
    await server.send('DELETE', `${events}?fieldSelector=regarding.name%3Dweb-1`);
    expect(await names(core, '')).toEqual([]);
  });

  it.each([
    ['core', core, events, { note: 'n' }, { 'f:note': {} }, 'events.k8s.io/v1'],
    ['events.k8s.io', events, core, { message: 'n' }, { 'f:message': {} }, 'v1'],
  ])(
    'keeps fields that are owned through the other version, when written through %s',
    async (_, path, other, owned, fieldsV1, apiVersion) => {
      const created = await server.send(
        'POST',
        `${other}?fieldManager=other`,
        other === core ? { ...event('a', 'web-0'), ...owned } : newEvent,
      );
      expect(created.status).toBe(201);
      await server.send('PATCH', `${path}/a?fieldManager=me`, { metadata: { labels: { a: 'b' } } }, MERGE);
      const { object } = await server.send('GET', `${core}/a`);
      const entryOf = (name: string) =>
        object.metadata.managedFields.find(({ manager }: { manager: string }) => manager === name);
      expect([entryOf('other')?.apiVersion, entryOf('other')?.fieldsV1]).toEqual([
        apiVersion,
        expect.objectContaining(fieldsV1),
      ]);
      expect(entryOf('me')?.fieldsV1).toEqual({ 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } });
    },
  );

  it('transfers ownership of a field that is owned through the other version', async () => {
    await server.send('POST', `${events}?fieldManager=other`, newEvent);
    await server.send('PATCH', `${core}/a?fieldManager=me`, { message: 'mine' }, MERGE);
    const { object } = await server.send('GET', `${events}/a`);
    const owners = object.metadata.managedFields
      .filter(({ fieldsV1 }: { fieldsV1: object }) => 'f:note' in fieldsV1 || 'f:message' in fieldsV1)
      .map(({ manager }: { manager: string }) => manager);
    expect([object.note, owners]).toEqual(['mine', ['me']]);
  });
});

describe('field selector metadata.namespace', () => {
  it.each(['/api/v1/namespaces', '/api/v1/nodes', '/apis/certificates.k8s.io/v1/certificatesigningrequests'])(
    'is rejected by a cluster-scoped kind with its own field labels: %s',
    async (path) => {
      const { status, object } = await server.send('GET', `${path}?fieldSelector=metadata.namespace%3Dn`);
      expect([status, object.message]).toEqual([
        400,
        expect.stringContaining('field label not supported: metadata.namespace'),
      ]);
    },
  );

  it.each(['/api/v1/persistentvolumes', '/apis/rbac.authorization.k8s.io/v1/clusterroles'])(
    'selects nothing of other cluster-scoped kinds: %s',
    async (path) => {
      await server.send('POST', path, { metadata: { name: 'a' } });
      expect(await names(path, 'metadata.namespace=n')).toEqual([]);
    },
  );
});
