import { afterEach, describe, expect, it } from 'vitest';
import { limitRanger } from '../../src/admission/plugins/limit-ranger.ts';
import type { LimitRangeItem } from '../../src/model/generated/core-v1.ts';
import type { AdmissionPlugin } from '../../src/request/admission.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

const GATE = 'InPlacePodVerticalScaling';
const PODS = '/api/v1/namespaces/n/pods';
const STRATEGIC = 'application/strategic-merge-patch+json';
const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';

const requests = (cpu: string) => ({ requests: { cpu, memory: '1Gi' } });
const containers = (cpu: string) => [{ name: 'c', image: 'i', resources: requests(cpu) }];
const policies = ['cpu', 'memory'].map((resourceName) => ({ resourceName, restartPolicy: 'NotRequired' }));

let server: SmallServer;
afterEach(() => server.close());

function start(gates = [GATE], ...plugins: AdmissionPlugin[]): void {
  server = smallServer({ storage: createMemoryStorage(), gates, plugins });
}

async function create(spec: object = { containers: containers('1') }) {
  const { status, object } = await server.send('POST', `${PODS}?fieldManager=creator`, {
    metadata: { name: 'p' },
    spec,
  });
  expect(status).toBe(201);
  return object;
}

const resize = (body: unknown, type: string, query = '') =>
  server.send('PATCH', `${PODS}/p/resize${query}`, body, type);

describe('pods/resize', () => {
  it('is not served without its feature gate', async () => {
    start([]);
    await create();
    expect((await server.send('GET', `${PODS}/p/resize`)).status).toBe(404);
    const { status, object } = await resize({ spec: { containers: containers('2') } }, STRATEGIC);
    expect([status, object.message]).toEqual([404, 'the server could not find the requested resource']);
    expect(server.resources.served.find('', 'v1', 'pods')).toBe(server.resources.internal('', 'pods').row);
  });

  it('is read, replaced and patched, not created or deleted', async () => {
    start();
    const created = await create();
    expect((await server.send('GET', `${PODS}/p/resize`)).object).toEqual(created);
    for (const method of ['POST', 'DELETE'])
      expect((await server.send(method, `${PODS}/p/resize`, {})).status).toBe(405);
    expect((await server.send('GET', `${PODS}/none/resize`)).status).toBe(404);
  });

  it.each<[string, string, (pod: object) => unknown]>([
    ['PUT', 'application/json', (pod) => ({ ...pod, spec: { containers: containers('2') } })],
    ['PATCH', STRATEGIC, () => ({ spec: { containers: [{ name: 'c', resources: requests('2') }] } })],
    ['PATCH', MERGE, () => ({ spec: { containers: containers('2') } })],
    [
      'PATCH',
      JSON_PATCH,
      () => [{ op: 'replace', path: '/spec/containers/0/resources/requests/cpu', value: '2' }],
    ],
  ])('writes resources by %s of %s, and no owners', async (method, type, bodyOf) => {
    start();
    const created = await create();
    const target = `${PODS}/p/resize?fieldManager=resizer`;
    const dry = await server.send(method, `${target}&dryRun=All`, bodyOf(created), type);
    const { status, object } = await server.send(method, target, bodyOf(created), type);
    expect(status).toBe(200);
    expect(object.spec.containers).toEqual([
      { ...created.spec.containers[0], resources: requests('2'), resizePolicy: policies },
    ]);
    expect(object.status).toEqual({ ...created.status, resize: 'Proposed' });
    expect(object.metadata).toEqual({ ...created.metadata, resourceVersion: expect.any(String) });
    expect(object.metadata.resourceVersion).not.toBe(created.metadata.resourceVersion);
    expect(dry.object).toEqual({
      ...object,
      metadata: { ...object.metadata, resourceVersion: created.metadata.resourceVersion },
    });
    expect((await server.send('GET', `${PODS}/p`)).object).toEqual(object);
  });

  it('applies a configuration against the owners of the pod, and records none', async () => {
    start();
    const created = await create();
    const configuration = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', labels: { dropped: 'yes' } },
      spec: { containers: [{ name: 'c', resources: { requests: { cpu: '2' } } }] },
    };
    const refused = await resize(configuration, APPLY, '?fieldManager=applier');
    expect([refused.status, refused.object.message]).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "creator" using v1: .spec.containers[name="c"].resources.requests.cpu',
    ]);
    const { object } = await resize(configuration, APPLY, '?fieldManager=applier&force=true');
    expect(object.spec.containers[0].resources).toEqual(requests('2'));
    expect(object.metadata.managedFields).toEqual(created.metadata.managedFields);
    expect(object.metadata.labels).toBeUndefined();
  });

  it('writes nothing when nothing changes', async () => {
    start();
    const created = await create();
    const { status, object } = await resize({ metadata: { labels: { a: 'b' } } }, MERGE);
    expect([status, object]).toEqual([200, created]);
  });

  it('refuses another uid, and says so for the metadata as a whole', async () => {
    start();
    await create();
    const { status, object } = await resize({ metadata: { uid: 'other' } }, MERGE);
    expect(status).toBe(422);
    expect(object.details.causes.map(({ field }: { field: string }) => field)).toEqual([
      'metadata.uid',
      'metadata',
    ]);
    expect(object.details.causes[1].message).toMatch(
      /^Invalid value: v1\.ObjectMeta\{Name:"p", .*UID:"other".*\}: field is immutable$/,
    );
  });
});

describe('pods/resize with limit ranges', () => {
  const ranger = (...limits: LimitRangeItem[]) => ({
    name: 'LimitRanger',
    ...limitRanger({ limitRanges: () => [{ metadata: { name: 'l' }, spec: { limits } }] }),
  });

  it('stays within the limits', async () => {
    start([GATE], ranger({ type: 'Container', max: { cpu: '3' } }));
    await create({ containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1' } } }] });
    const to = (cpu: string) =>
      resize({ spec: { containers: [{ name: 'c', resources: { limits: { cpu } } }] } }, STRATEGIC);
    expect((await to('3')).status).toBe(200);
    expect((await to('4')).object.message).toBe(
      'pods "p" is forbidden: maximum cpu usage per Container is 3, but limit is 4',
    );
  });

  it('reads the resize policies of requests that admission added, which the next update stores', async () => {
    start([GATE], ranger({ type: 'Container', defaultRequest: { cpu: '1' } }));
    const created = await create({ containers: [{ name: 'c', image: 'i' }] });
    expect(created.spec.containers[0].resizePolicy).toEqual([policies[0]]);
    const { object } = await server.send('PATCH', `${PODS}/p`, {}, MERGE);
    expect(object.metadata.resourceVersion).not.toBe(created.metadata.resourceVersion);
    expect(object.spec).toEqual(created.spec);
  });

  it('counts a list that admission made as a change', async () => {
    start([GATE], ranger());
    await create();
    const { object } = await resize({}, MERGE);
    expect(object.status.resize).toBe('Proposed');
    expect(object.spec.containers[0].resources).toEqual(requests('1'));
  });
});
