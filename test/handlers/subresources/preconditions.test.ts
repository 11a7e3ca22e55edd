import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../../support/small-server.ts';

const pods = '/api/v1/namespaces/n/pods';
const deployments = '/apis/apps/v1/namespaces/n/deployments';
const spec = { containers: [{ name: 'c', image: 'i' }] };
const MERGE = 'application/merge-patch+json';

let server: SmallServer;

beforeEach(async () => {
  server = smallServer({ storage: createMemoryStorage() });
  await server.send('POST', pods, { metadata: { name: 'p' }, spec });
  await server.send('POST', deployments, {
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec } },
  });
});
afterEach(() => server.close());

it('refuses the namespace of another path in evictions and patched scales', async () => {
  const metadata = { name: 'p', namespace: 'other' };
  expect((await server.send('POST', `${pods}/p/eviction`, { metadata })).status).toBe(400);
  const scale = { metadata: { namespace: 'other' } };
  expect((await server.send('PATCH', `${deployments}/d/scale`, scale, MERGE)).status).toBe(400);
});

it('takes the version of a binding as precondition', async () => {
  const bind = (resourceVersion: string) =>
    server.send('POST', `${pods}/p/binding`, {
      metadata: { name: 'p', resourceVersion },
      target: { name: 'node' },
    });
  expect((await bind('1000')).status).toBe(409);
  const { object } = await server.send('GET', `${pods}/p`);
  expect((await bind(object.metadata.resourceVersion)).status).toBe(201);
});

it('takes the uid that a patch leaves in a scale as precondition', async () => {
  const { status, object } = await server.send(
    'PATCH',
    `${deployments}/d/scale`,
    { metadata: { uid: 'x' } },
    MERGE,
  );
  expect([status, object.details.kind]).toEqual([409, 'deployments/scale']);
});

it('shows a scale as metadata', async () => {
  const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
  const { object } = await server.send('GET', `${deployments}/d/scale`, undefined, undefined, accept);
  expect([object.kind, object.metadata.name, object.spec]).toEqual(['PartialObjectMetadata', 'd', undefined]);
});

it('refuses YAML that is not UTF-8', async () => {
  const body = Buffer.from('metadata: {name: "\xff"}', 'latin1');
  const { status, object } = await server.send(
    'POST',
    '/api/v1/namespaces/n/configmaps',
    body,
    'application/yaml',
  );
  expect([status, object.message]).toEqual([400, expect.stringContaining('invalid leading UTF-8 octet')]);
});
