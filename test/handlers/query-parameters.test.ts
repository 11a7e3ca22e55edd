import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

const maps = '/api/v1/namespaces/n/configmaps';

let server: SmallServer;

beforeEach(() => {
  server = smallServer({ storage: createMemoryStorage() });
});
afterEach(() => server.close());

it.each(['limit', 'timeoutSeconds'])('reports a %s that is empty or out of range', async (name) => {
  const empty = await server.send('GET', `${maps}?${name}=`);
  expect([empty.status, empty.object.message]).toEqual([400, 'strconv.ParseInt: parsing "": invalid syntax']);
  const large = await server.send('GET', `${maps}?${name}=9223372036854775808`);
  expect([large.status, large.object.message]).toEqual([
    400,
    'strconv.ParseInt: parsing "9223372036854775808": value out of range',
  ]);
});

it('takes uid and resourceVersion of a DELETE as preconditions', async () => {
  const { object } = await server.send('POST', maps, { metadata: { name: 'm' } });
  for (const query of ['uid=x', 'resourceVersion=1', `uid=${object.metadata.uid}&resourceVersion=1`])
    expect((await server.send('DELETE', `${maps}/m?${query}`)).status).toBe(409);
  const { uid, resourceVersion } = object.metadata;
  const query = `uid=${uid}&resourceVersion=${resourceVersion}`;
  expect((await server.send('DELETE', `${maps}/m?${query}`)).status).toBe(200);
});

it.each(['gracePeriodSeconds=', 'gracePeriodSeconds=9223372036854775808'])('rejects %s', async (query) => {
  await server.send('POST', maps, { metadata: { name: 'm' } });
  expect((await server.send('DELETE', `${maps}/m?${query}`)).status).toBe(400);
});

it('rejects an empty propagation policy', async () => {
  await server.send('POST', maps, { metadata: { name: 'm' } });
  expect((await server.send('DELETE', `${maps}/m?propagationPolicy=`)).status).toBe(422);
});

it('checks preconditions of a collection against each object, in order', async () => {
  for (const name of ['a', 'b']) await server.send('POST', maps, { metadata: { name } });
  const { status, object } = await server.send('DELETE', maps, { preconditions: { uid: 'x' } });
  expect([status, object.details.name]).toEqual([409, 'a']);
  expect((await server.send('GET', maps)).object.items).toHaveLength(2);
});

it('refuses the export that reads once had', async () => {
  await server.send('POST', maps, { metadata: { name: 'm' } });
  expect((await server.send('GET', `${maps}/m?export=true`)).status).toBe(400);
  expect((await server.send('GET', `${maps}/m?export=0`)).status).toBe(200);
});

it('answers a group version that cannot be parsed in DeleteOptions with an error', async () => {
  await server.send('POST', maps, { metadata: { name: 'm' } });
  const { status } = await server.send('DELETE', `${maps}/m`, { kind: 'DeleteOptions', apiVersion: 'a/b/c' });
  expect(status).toBe(400);
});

it('does not show the removal of a finalizer by a further deletion', async () => {
  const pods = '/api/v1/namespaces/n/pods';
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  await server.send('POST', pods, { metadata: { name: 'p' }, spec });
  await server.send('DELETE', `${pods}/p?propagationPolicy=Orphan`);
  const { object } = await server.send('DELETE', `${pods}/p?propagationPolicy=Background`);
  expect(object.metadata.finalizers).toEqual(['orphan']);
});

it.each([
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
])('reports a missing object before a %s that cannot be read', async (type) => {
  expect((await server.send('PATCH', `${maps}/none`, Buffer.from('bad'), type)).status).toBe(404);
  await server.send('POST', maps, { metadata: { name: 'm' } });
  expect((await server.send('PATCH', `${maps}/m`, Buffer.from('bad'), type)).status).toBe(400);
});

it('ignores kind and version of a strategic merge patch', async () => {
  await server.send('POST', maps, { metadata: { name: 'm' } });
  const patch = { apiVersion: 'apps/v1', kind: 'Deployment', data: { a: 'b' } };
  const type = 'application/strategic-merge-patch+json';
  const { status, object } = await server.send('PATCH', `${maps}/m`, patch, type);
  expect([status, object.kind, object.data]).toEqual([200, 'ConfigMap', { a: 'b' }]);
});

it('joins objects that a JSON body repeats, and reports what both have', async () => {
  const text =
    '{"metadata":{"name":"m","labels":{"a":"1","x":"1"},"no":1,"labels":{"a":"2"}},"data":{"b":"1"}}';
  const { object, warnings } = await server.send('POST', maps, Buffer.from(text));
  expect(object.metadata.labels).toEqual({ a: '2', x: '1' });
  expect(warnings).toEqual([
    warning('unknown field', 'metadata.no'),
    warning('duplicate field', 'metadata.labels'),
  ]);
});

it('orders the unknown fields of a patch like members of a sorted document', async () => {
  await server.send('POST', maps, { metadata: { name: 'm' } });
  const patch = { unknown: 1, metadata: { zzz: 1 }, another: 1 };
  const { warnings } = await server.send('PATCH', `${maps}/m`, patch, 'application/merge-patch+json');
  expect(warnings).toEqual([
    warning('unknown field', 'another'),
    warning('unknown field', 'metadata.zzz'),
    warning('unknown field', 'unknown'),
  ]);
});

const warning = (what: string, path: string): string => `299 - "${what} \\"${path}\\""`;

it.each([
  ['..', "may not be '..'"],
  ['%25', "may not contain '%'"],
])('refuses the name %s in a path', async (name, problem) => {
  for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', {}]] as const) {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : undefined;
    const { status, object } = await server.send(method, `${maps}/${name}`, body, type);
    expect([status, object.message]).toEqual([400, expect.stringContaining(problem)]);
  }
});

it('shows the selfLink of a dry run', async () => {
  await server.send('POST', maps, { metadata: { name: 'm' } });
  const sent = { metadata: { name: 'm', selfLink: '/x' } };
  expect((await server.send('PUT', `${maps}/m?dryRun=All`, sent)).object.metadata.selfLink).toBe('/x');
  expect((await server.send('PUT', `${maps}/m`, sent)).object.metadata.selfLink).toBeUndefined();
});

it('treats replicas that nobody owns as set before the first apply of a scale', async () => {
  const deployments = '/apis/apps/v1/namespaces/n/deployments';
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  await server.send(
    'PATCH',
    `${deployments}/d?fieldManager=one`,
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { selector: { matchLabels: { a: 'b' } }, template },
    },
    'application/apply-patch+yaml',
  );
  const scale = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'd' },
    spec: { replicas: 7 },
  };
  const target = `${deployments}/d/scale?fieldManager=two`;
  const refused = await server.send('PATCH', target, scale, 'application/apply-patch+yaml');
  expect([refused.status, refused.object.message]).toEqual([
    409,
    expect.stringContaining('"before-first-apply"'),
  ]);
  const forced = await server.send('PATCH', `${target}&force=true`, scale, 'application/apply-patch+yaml');
  expect([forced.status, forced.object.spec]).toEqual([200, { replicas: 7 }]);
});
