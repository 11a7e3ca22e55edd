import { queryObjects } from 'node:v8';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ResourceCache } from '../../../src/cache/resource-cache.ts';
import { DefinedKind } from '../../../src/extensions/custom-resources/defined-kind.ts';
import { CustomVersion } from '../../../src/extensions/custom-resources/objects/custom-version.ts';
import { TrackedKind } from '../../../src/listers/tracked-kinds.ts';
import { ServedResource } from '../../../src/resources/served-resource.ts';
import { StoredResource } from '../../../src/resources/stored-resource.ts';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';
import { Api } from '../../controllers/api.ts';
import { DEFINITIONS, define } from '../../controllers/definitions.ts';

const DEFINED = Number(process.env['BINNACLE_DEFINITIONS'] ?? 300);
/** For a busy machine, in milliseconds. */
const TIME_LIMIT = 180_000 + 200 * DEFINED;
const RETAINED = { ResourceCache, DefinedKind, CustomVersion, TrackedKind, ServedResource, StoredResource };

let cluster: TestCluster;
let api: Api;
beforeAll(async () => {
  // The first documents of thousands of kinds take longer than a minute on a busy machine.
  cluster = await startCluster({ requestTimeout: TIME_LIMIT });
  api = new Api(cluster);
});
afterAll(() => cluster.stop());

const groupOf = (index: number): string => `g${index % 20}.example.com`;
const schema = (index: number) => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { n: { type: 'integer', default: index } } } },
});
const versions = (index: number) =>
  ['v1', 'v2'].map((name) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: schema(index) },
  }));

/** Creates definitions, uses each in every view, and removes them. */
async function useAndRemove(from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1) {
    const [group, kind, plural] = [groupOf(index), `Kind${index}`, `kind${index}s`];
    await define(api, plural, kind, { versions: versions(index) }, group);
    const path = `/apis/${group}/v2/namespaces/default/${plural}`;
    await api.call('POST', path, { apiVersion: `${group}/v2`, kind, metadata: { name: 'one' }, spec: {} });
    await api.call('GET', `/apis/${group}/v1/${plural}`);
    await api.merge(`${path}/one`, { spec: { n: 7 } });
  }
  const documents = async () => {
    await api.call('GET', '/apis');
    await api.call('GET', '/openapi/v2');
    await api.call('GET', '/openapi/v3');
  };
  await documents();
  for (let index = from; index < to; index += 1)
    await api.call('DELETE', `${DEFINITIONS}/kind${index}s.${groupOf(index)}`);
  await expect
    .poll(async () => (await api.call('GET', `${DEFINITIONS}?limit=1`)).items, { timeout: TIME_LIMIT })
    .toEqual([]);
  await documents();
}

/** The number of reachable objects of each class; garbage is collected first. */
const retained = (): Record<string, number> =>
  Object.fromEntries(
    Object.entries(RETAINED).map(([name, type]) => [
      name,
      queryObjects(type as never, { format: 'count' }) as unknown as number,
    ]),
  );

/** Series of metrics whose labels name a defined kind. */
async function seriesOfKinds(): Promise<string[]> {
  const response = await cluster.fetch('/metrics', { headers: { accept: 'text/plain' } });
  return (await response.text()).split('\n').filter((line) => /kind\d|Kind\d|\.example\.com/.test(line));
}

it(
  `${DEFINED} definitions that were used and removed leave no objects and no metrics`,
  async () => {
    // What the first use of custom kinds creates remains.
    await useAndRemove(0, 20);
    const before = retained();
    expect(before['ServedResource']).toBeGreaterThan(0);
    await useAndRemove(20, 20 + DEFINED);
    await expect.poll(retained).toEqual(before);
    expect(await seriesOfKinds()).toEqual([]);
  },
  TIME_LIMIT,
);
