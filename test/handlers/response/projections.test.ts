import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../../support/small-server.ts';

const maps = '/api/v1/namespaces/n/configmaps';
const LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

let server: SmallServer;

beforeEach(async () => {
  server = smallServer({ storage: createMemoryStorage() });
  await server.send('POST', maps, { metadata: { name: 'm' } });
});
afterEach(() => server.close());

it('finds the object before it reports that one object is not a list', async () => {
  expect((await server.send('GET', `${maps}/none`, undefined, undefined, LIST)).status).toBe(404);
  const { status, object } = await server.send('GET', `${maps}/m`, undefined, undefined, LIST);
  expect([status, object.message]).toEqual([
    406,
    'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
  ]);
});

it('ignores parameters without a value', async () => {
  const accept = 'application/json;as=;g=;v=';
  expect((await server.send('GET', `${maps}/m`, undefined, undefined, accept)).object.kind).toBe('ConfigMap');
});

it('lists the metadata of no objects as null', async () => {
  for (const version of ['v1', 'v1beta1']) {
    const accept = `application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=${version}`;
    const { object } = await server.send(
      'GET',
      `${maps}?limit=1&labelSelector=a`,
      undefined,
      undefined,
      accept,
    );
    expect(object.items).toBeNull();
  }
});

it('returns the owners of a review', async () => {
  const { object } = await server.send('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
  });
  expect(object.metadata.managedFields).toMatchObject([{ manager: 'tester', operation: 'Update' }]);
});

it('shows the mark of a pod that a dry run deletes', async () => {
  const pods = '/api/v1/namespaces/n/pods';
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  await server.send('POST', pods, { metadata: { name: 'p' }, spec });
  const { object } = await server.send('DELETE', `${pods}/p?dryRun=All`);
  expect(object.metadata.deletionGracePeriodSeconds).toBe(0);
  expect((await server.send('GET', `${pods}/p`)).object.metadata.deletionTimestamp).toBeUndefined();
});

it('deletes an event without looking for dependents', async () => {
  const events = '/api/v1/namespaces/n/events';
  await server.send('POST', events, { metadata: { name: 'e' }, involvedObject: { namespace: 'n' } });
  await server.send('DELETE', `${events}/e?propagationPolicy=Foreground`);
  expect((await server.send('GET', `${events}/e`)).status).toBe(404);
});

it('records who sets annotations by the status of a deployment', async () => {
  const deployments = '/apis/apps/v1/namespaces/n/deployments';
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  await server.send('POST', deployments, {
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec } },
  });
  const patch = { metadata: { labels: { l: '1' }, annotations: { a: '1' } } };
  const type = 'application/merge-patch+json';
  const { object } = await server.send('PATCH', `${deployments}/d/status`, patch, type);
  expect(object.metadata.managedFields.at(-1)).toMatchObject({
    subresource: 'status',
    fieldsV1: { 'f:metadata': { 'f:annotations': { '.': {}, 'f:a': {} } } },
  });
});
