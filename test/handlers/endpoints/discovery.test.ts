import { describe, expect, it, vi } from 'vitest';
import { decodeEnvelope } from '../../../src/codec/envelope.ts';
import { decodeMessage } from '../../../src/codec/protobuf.ts';
import { createInProcessExchange } from '../../../src/connection/in-process.ts';
import type { RegisteredVersion } from '../../../src/extensions/aggregation/api-service.ts';
import { DiscoveryPriorities } from '../../../src/extensions/aggregation/priorities.ts';
import { Discovery } from '../../../src/handlers/endpoints/discovery.ts';
import {
  type DiscoveredGroup,
  type DiscoverySource,
  resourceSetSource,
  unreadableSource,
} from '../../../src/handlers/endpoints/discovery-source.ts';
import { rootPaths, versionPaths } from '../../../src/handlers/endpoints/version.ts';
import { schemeOf } from '../../../src/model/scheme.ts';
import { createContext } from '../../../src/request/create-context.ts';
import { CorruptObjectError } from '../../../src/resources/corrupt-object.ts';
import { UnreadableKinds } from '../../../src/resources/unreadable-kinds.ts';
import { builtinResourceSet } from '../../support/builtin-kinds.ts';
import { rowOf } from '../../support/builtin-resources.ts';
import { callerOf } from '../../support/call-handler.ts';
import { loopTurns } from '../../support/loop-turns.ts';
import { recorded } from '../../support/recorded.ts';
import { kindType } from '../../support/types.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

const builtIn = resourceSetSource(builtinResourceSet());
const create = (...more: DiscoverySource[]) =>
  new Discovery({
    types: schemeOf().types,
    aggregatedVersions: ['v2', 'v2beta1'],
    sources: [builtIn, ...more],
    serverAddress: () => '192.0.2.1:6443',
  });
const call = callerOf(create().paths());

interface Step {
  name: string;
  request?: string;
  status: number;
  body: Record<string, unknown>;
}
const golden = recorded<Record<string, Step[]>>('discovery');
/**
 * Removes hashes, which have a recording of their own, and sorts resources by name: their order within a
 * group is not specified.
 */
const normal = ({ resources, ...rest }: Record<string, unknown>): object => ({
  ...rest,
  resources: (resources as { name: string; storageVersionHash?: string }[] | undefined)
    ?.map(({ storageVersionHash: _, ...resource }) => resource)
    .sort((a, b) => (a.name < b.name ? -1 : 1)),
});

describe('discovery', () => {
  it('lists groups, versions and resources', async () => {
    expect((await call('/api')).json()).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '192.0.2.1:6443' }],
    });
    expect((await call('/apis/autoscaling/')).json()).toEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'autoscaling',
      versions: [
        { groupVersion: 'autoscaling/v2', version: 'v2' },
        { groupVersion: 'autoscaling/v1', version: 'v1' },
      ],
      preferredVersion: { groupVersion: 'autoscaling/v2', version: 'v2' },
    });
    const { resources } = (await call('/api/v1')).json() as { resources: { name: string }[] };
    expect(resources.find(({ name }) => name === 'configmaps')).toMatchObject({
      singularName: 'configmap',
      storageVersionHash: 'qFsyl6wFWjQ=',
    });
    expect(resources.find(({ name }) => name === 'pods/eviction')).toEqual({
      name: 'pods/eviction',
      singularName: '',
      namespaced: true,
      group: 'policy',
      version: 'v1',
      kind: 'Eviction',
      verbs: ['create'],
    });
  });

  it('rejects unknown documents and media types', async () => {
    expect((await call('/apis/nonsense.test')).bytes.toString()).toBe('404 page not found\n');
    expect(await call('/apis/apps/v9').then(({ status, json }) => [status, json()['details']])).toEqual([
      404,
      {},
    ]);
    expect((await call('/api/v2')).status).toBe(404);
    expect((await call('/api', {}, 'POST')).status).toBe(405);
    expect((await call('/apis', {}, 'POST')).status).toBe(200);
    expect((await call('/apis', { accept: 'application/cbor' })).status).toBe(406);
    expect((await call('/apis/apps', { accept: AGGREGATED })).status).toBe(406);
    expect((await call('/apis', { accept: 'text/html' })).json()).toMatchObject({
      message: expect.stringMatching(/^only the following media types/),
      code: 406,
    });
    expect((await call('/api', { accept: AGGREGATED.replace('g=apidiscovery.k8s.io;', '') })).status).toBe(
      406,
    );
  });

  it('prefers the aggregated form at any position', async () => {
    for (const accept of [
      AGGREGATED,
      `application/json,${AGGREGATED}`,
      `${AGGREGATED};q=0.1,application/json;q=0.9`,
    ]) {
      const { headers, json } = await call('/api', { accept });
      expect(headers).toMatchObject({
        'content-type': AGGREGATED,
        vary: 'Accept',
        'cache-control': 'public',
      });
      expect(json()).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' });
    }
    const beta = await call('/api', { accept: AGGREGATED.replace('v2', 'v2beta1') });
    expect(beta.json()['apiVersion']).toBe('apidiscovery.k8s.io/v2beta1');
    expect(
      (await call('/api', { accept: `${AGGREGATED.replace('v2', 'v9')},application/json` })).json()['kind'],
    ).toBe('APIVersions');
  });

  it('returns the same document from the cache', async () => {
    const paths = new Map(create().paths());
    for (const target of ['/api', '/apis']) {
      for (const time of ['first', 'again']) {
        const { exchange } = createInProcessExchange({
          method: 'GET',
          target,
          headers: { accept: AGGREGATED },
        });
        const respond = vi.spyOn(exchange, 'respond');
        await paths.get(target)!(createContext(exchange, loopTurns(), schemeOf())!);
        expect(respond, `${target} ${time}`).toHaveBeenCalledTimes(1);
      }
    }
  });

  it('returns 304 for an exact entity tag only', async () => {
    const { headers } = await call('/apis', { accept: AGGREGATED });
    const tag = String(headers['etag']);
    expect(tag).toMatch(/^"[0-9A-F]{128}"$/);
    const again = await call('/apis', { accept: AGGREGATED, 'if-none-match': tag });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    for (const other of [`W/${tag}`, '*', `${tag}, "x"`])
      expect((await call('/apis', { accept: AGGREGATED, 'if-none-match': other })).status).toBe(200);
  });

  it('encodes documents as protobuf and YAML', async () => {
    const { bytes } = await call('/apis', { accept: 'application/vnd.kubernetes.protobuf' });
    const envelope = decodeEnvelope(bytes);
    expect(envelope.kind).toBe('APIGroupList');
    const decoded = decodeMessage(kindType('', 'v1', 'APIGroupList')!, envelope.raw) as {
      groups: { name: string }[];
    };
    expect(decoded.groups.map(({ name }) => name)).toContain('apps');
    const aggregated = decodeEnvelope(
      (await call('/api', { accept: AGGREGATED.replace('json', 'vnd.kubernetes.protobuf') })).bytes,
    );
    const list = decodeMessage(
      kindType('apidiscovery.k8s.io', 'v2', 'APIGroupDiscoveryList')!,
      aggregated.raw,
    ) as {
      items: { versions: { resources: { resource: string }[] }[] }[];
    };
    expect(list.items[0]!.versions[0]!.resources.map(({ resource }) => resource)).toContain('pods');
    expect((await call('/apis/apps', { accept: 'application/yaml' })).bytes.toString()).toContain(
      'name: apps\n',
    );
  });

  it('rebuilds documents when a source changes', async () => {
    const own: DiscoveredGroup = { group: 'example.com', versions: [] };
    const rows: DiscoveredGroup[] = [own];
    const source = { generation: 1, groups: () => rows };
    const discovery = create(source);
    const sendRequest = callerOf(discovery.paths());
    const before = await sendRequest('/apis', { accept: AGGREGATED });
    rows[0] = { group: 'example.com', versions: [{ version: 'v1', resources: [], freshness: 'Stale' }] };
    rows.push({ group: 'apps', versions: [{ version: 'v2', resources: [], freshness: 'Current' }] });
    expect((await sendRequest('/apis/example.com/v1')).status).toBe(404);
    source.generation++;
    expect((await sendRequest('/apis/example.com/v1')).json()).toMatchObject({
      groupVersion: 'example.com/v1',
      resources: [],
    });
    expect((await sendRequest('/apis/apps')).json()['versions']).toMatchObject([
      { version: 'v1' },
      { version: 'v2' },
    ]);
    const after = await sendRequest('/apis', {
      accept: AGGREGATED,
      'if-none-match': String(before.headers['etag']),
    });
    expect(after.status).toBe(200);
    expect(discovery.index()).toContain('/apis/example.com/v1');
  });

  it('keeps the registered versions of a definition that cannot be read', async () => {
    const unreadable = new UnreadableKinds();
    const priorities = new DiscoveryPriorities();
    const row = { ...rowOf('example.com', 'v2', 'others', 'Other', {}), customKind: {} };
    const custom: DiscoverySource = {
      generation: 1,
      groups: () => [
        { group: 'example.com', versions: [{ version: 'v2', resources: [row], freshness: 'Current' }] },
      ],
    };
    const sendRequest = callerOf(create(custom, unreadableSource(unreadable, priorities)).paths());
    const versions = async (group: string) => {
      const { items } = (await sendRequest('/apis', { accept: AGGREGATED })).json() as {
        items: { metadata: { name: string }; versions: { version: string; freshness: string }[] }[];
      };
      const found = items.find(({ metadata }) => metadata.name === group);
      return found?.versions.map(({ version, freshness }) => `${version} ${freshness}`);
    };
    const error = new CorruptObjectError('/registry/things', new Error('damaged'));
    unreadable.set('things.example.com', error);
    unreadable.set('things.unregistered.com', error);
    expect(await versions('example.com')).toEqual(['v2 Current']);
    for (const version of ['v1', 'v2'])
      priorities.set(`${version}.example.com`, {
        group: 'example.com',
        version,
        groupPriorityMinimum: 1000,
        versionPriority: 100,
      } as RegisteredVersion);
    expect(await versions('example.com')).toEqual(['v2 Current', 'v1 Stale']);
    expect(await versions('unregistered.com')).toBeUndefined();
    await expect(sendRequest('/apis/example.com/v1')).rejects.toBe(error);
    expect((await sendRequest('/apis/example.com')).json()).toMatchObject({
      versions: [{ version: 'v2' }, { version: 'v1' }],
    });
    expect((await sendRequest('/apis/example.com/v2')).status).toBe(200);
    unreadable.delete('things.example.com');
    expect(await versions('example.com')).toEqual(['v2 Current']);
    expect((await sendRequest('/apis/example.com/v1')).status).toBe(404);
  });

  it('knows no paths below a group of custom resources alone, except its versions', async () => {
    const row = rowOf('example.com', 'v1', 'widgets', 'Widget', {});
    const textOf = async (resources: DiscoveredGroup['versions'][number]['resources']) => {
      const group = {
        group: 'example.com',
        versions: [{ version: 'v1', resources, freshness: 'Current' as const }],
      };
      const sendRequest = callerOf(create({ generation: 1, groups: () => [group] }).paths());
      return (await sendRequest('/apis/example.com/v2')).bytes.toString();
    };
    expect(await textOf([{ ...row, customKind: {} }])).toBe('404 page not found\n');
    await expect(textOf([row])).resolves.toContain('"reason":"NotFound"');
  });

  describe('recorded discovery', () => {
    it('matches the plain documents', async () => {
      for (const file of ['group-documents', 'group-list', 'resource-lists-groups', 'resource-lists-core']) {
        for (const { name, request, status, body } of golden[file]!) {
          if (status !== 200 || Object.hasOwn(body, '$yaml') || name.startsWith('browser')) continue;
          expect(normal((await call(request!.slice(4))).json()), name).toEqual(normal(body));
        }
      }
    });

    it('matches the aggregated documents', async () => {
      const [api, apis, betaApi] = golden['aggregated']!;
      expect((await call('/api', { accept: AGGREGATED })).json()).toEqual(api!.body);
      expect((await call('/apis', { accept: AGGREGATED })).json()).toEqual(apis!.body);
      expect((await call('/api', { accept: AGGREGATED.replace('v2', 'v2beta1') })).json()).toEqual(
        betaApi!.body,
      );
    });
  });
});

describe('version and index', () => {
  const version = callerOf(versionPaths({ scheme: schemeOf(), product: '1.0.0 beta' }));

  it('contain the release and the product', async () => {
    const { json } = await version('/version');
    expect(Object.keys(json())).toEqual([
      'major',
      'minor',
      'gitVersion',
      'gitCommit',
      'gitTreeState',
      'buildDate',
      'goVersion',
      'compiler',
      'platform',
    ]);
    expect(json()).toMatchObject({ major: '1', minor: '32', gitVersion: 'v1.32.13+binnacle-1.0.0-beta' });
    expect((await version('/version', {}, 'POST')).status).toBe(405);
    expect([(await version('/version/')).status, (await version('/version/x')).status]).toEqual([200, 404]);
  });

  it('list paths in order', async () => {
    const root = callerOf(rootPaths(() => ['/b', '/a', '/', '/b']));
    expect((await root('/', { accept: 'text/html' })).json()).toEqual({ paths: ['/a', '/b'] });
    expect((await root('/index.html', {}, 'POST')).status).toBe(200);
  });
});
