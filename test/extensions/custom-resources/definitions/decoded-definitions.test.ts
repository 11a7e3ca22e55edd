import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { StoredResource } from '../../../../src/resources/stored-resource.ts';
import { startCluster, type TestCluster } from '../../../../src/testing/index.ts';
import { Api } from '../../../controllers/api.ts';
import { define } from '../../../controllers/definitions.ts';

let cluster: TestCluster;
let api: Api;
beforeAll(async () => {
  cluster = await startCluster();
  api = new Api(cluster);
});
afterAll(() => cluster.stop());

it('decodes each state of a definition once for handlers, control loops, watches and its resources', async () => {
  const watched = await cluster.fetch('/apis/apiextensions.k8s.io/v1/customresourcedefinitions?watch=1');
  const decode = vi.spyOn(StoredResource.prototype, 'decode');
  await define(api, 'onces', 'Once', {}, 'decoded.example.com');
  const revisions = decode.mock.calls
    .map(([record]) => record)
    .filter(({ key }) => key.endsWith('/onces.decoded.example.com'))
    .map(({ revision }) => revision);
  decode.mockRestore();
  await watched.body?.cancel();
  expect(revisions.length).toBeGreaterThan(0);
  const times = revisions.map((revision) => revisions.filter((other) => other === revision).length);
  // A result that the cache has not reached is another record.
  expect(Math.max(...times)).toBeLessThanOrEqual(2);
  expect(revisions.length).toBeLessThanOrEqual(new Set(revisions).size + 1);
});
