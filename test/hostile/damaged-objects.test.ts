import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHead } from '../../src/storage/embedded/encoding.ts';
import { openEmbeddedStorage } from '../../src/storage/embedded/index.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { changeRaw, rawBytes } from '../storage/embedded/raw.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const DAMAGED_KEY = '/registry/configmaps/default/damaged';
const SERVICE_KEY = '/registry/services/specs/default/lost';
const UNSAFE = {
  kind: 'DeleteOptions',
  apiVersion: 'v1',
  ignoreStoreReadErrorWithClusterBreakingPotential: true,
};

interface Status {
  readonly message: string;
  readonly reason: string;
  readonly code: number;
}

type Damage = (directory: string, keys: readonly string[], bytes?: number) => Promise<void>;

/** Overwrites the middle of stored values with undecodable bytes, while no server runs. */
async function overwrite(directory: string, keys: readonly string[], bytes?: number): Promise<void> {
  const storage = await openEmbeddedStorage({ directory });
  for (const key of keys) {
    const { entry } = await storage.get(key);
    const value = Buffer.from(entry!.value).fill(
      0xff,
      20,
      bytes === undefined ? entry!.value.length - 3 : 20 + bytes,
    );
    await storage.transact({ key, expected: entry!.revision, value });
  }
  await storage.close();
}

/** Flips one bit in the uid, like a failing disk: the object can still be decoded. */
async function flip(directory: string, keys: readonly string[]): Promise<void> {
  await changeRaw(directory, ({ live, log }) => {
    for (const key of keys) {
      const revision = live.get(key, readHead)!.revision;
      const record = rawBytes(log, revision);
      const uid = /[0-9a-f]{8}-[0-9a-f]{4}-4/.exec(record.toString('latin1'))!;
      record[uid.index]! ^= 1;
      log.put(revision, record);
    }
  });
}

describe.each<[string, Damage]>([
  ['cannot be decoded', overwrite],
  ['were changed on disk', flip],
])('objects whose stored bytes %s', (_name, damage) => {
  let directory: string;
  let cluster: TestCluster;
  const start = () =>
    startCluster({
      storageBackend: 'embedded',
      dataDir: join(directory, 'data'),
      tokenAuthFile: join(directory, 'tokens'),
      featureGates: ['AllowUnsafeMalformedObjectDeletion=true'],
    });
  /** The events of a watch up to its end, or the first `count`. */
  const events = async (query: string, count: number) => {
    const controller = new AbortController();
    const { body } = await cluster.fetch(`${CONFIG_MAPS}?watch=1&${query}`, { signal: controller.signal });
    let text = '';
    for await (const chunk of body!) {
      text += Buffer.from(chunk).toString();
      if (text.split('\n').length > count) break;
    }
    controller.abort();
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; object: Status });
  };
  const answer = async (
    path: string,
    method = 'GET',
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const response = await cluster.fetch(path, { method, headers, ...(body === undefined ? {} : { body }) });
    return { status: response.status, object: (await response.json()) as Status };
  };

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'binnacle-damage-'));
    await writeFile(join(directory, 'tokens'), 'token-of-bob,bob,1\n');
    cluster = await start();
    for (const name of ['damaged', 'whole'])
      await answer(CONFIG_MAPS, 'POST', {
        metadata: { name, labels: { name }, finalizers: ['example.com/held'] },
      });
    const role = {
      metadata: { name: 'deleter' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['delete'] }],
    };
    const binding = {
      metadata: { name: 'deleter' },
      subjects: [{ kind: 'User', name: 'bob', apiGroup: 'rbac.authorization.k8s.io' }],
      roleRef: { kind: 'ClusterRole', name: 'deleter', apiGroup: 'rbac.authorization.k8s.io' },
    };
    for (const [resource, object] of [
      ['clusterroles', role],
      ['clusterrolebindings', binding],
    ] as const)
      expect((await answer(`/apis/rbac.authorization.k8s.io/v1/${resource}`, 'POST', object)).status).toBe(
        201,
      );
    const spec = { type: 'NodePort', clusterIP: '10.0.0.77', ports: [{ port: 80, nodePort: 31077 }] };
    expect(
      (await answer('/api/v1/namespaces/default/services', 'POST', { metadata: { name: 'lost' }, spec }))
        .status,
    ).toBe(201);
    await cluster.stop();
    await damage(join(directory, 'data/store'), [SERVICE_KEY], 30);
    await damage(join(directory, 'data/store'), [
      DAMAGED_KEY,
      '/registry/clusterroles/cluster-admin',
      '/registry/flowschemas/global-default',
    ]);
    cluster = await start();
  });
  afterAll(async () => {
    await cluster.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('do not prevent the server from starting; its default roles are recreated', async () => {
    expect((await answer('/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin')).status).toBe(200);
  });

  it.each([
    ['GET', `${CONFIG_MAPS}/damaged`],
    ['GET', CONFIG_MAPS],
    ['GET', `${CONFIG_MAPS}?limit=1`],
    // If it were omitted from a selection, clients would treat the object as deleted.
    ['GET', `${CONFIG_MAPS}?labelSelector=name%3Dwhole`],
    ['DELETE', `${CONFIG_MAPS}/damaged`],
    ['DELETE', CONFIG_MAPS],
  ])('%s %s fails with the key in its message', async (method, path) => {
    const { status, object } = await answer(path, method);
    expect(status).toBe(500);
    expect(object).toMatchObject({ reason: 'InternalError', code: 500 });
    expect(object.message).toContain(DAMAGED_KEY);
  });

  it('cannot be changed', async () => {
    expect((await answer(`${CONFIG_MAPS}/damaged`, 'PUT', { metadata: { name: 'damaged' } })).status).toBe(
      500,
    );
    expect((await answer(CONFIG_MAPS, 'POST', { metadata: { name: 'damaged' } })).status).toBe(409);
  });

  it('are logged once per object, for any number of requests', async () => {
    for (let round = 0; round < 5; round += 1) expect((await answer(CONFIG_MAPS)).status).toBe(500);
    const lines = cluster.log.filter((line) => line.includes('stored object is corrupt'));
    expect(lines.filter((line) => line.includes(DAMAGED_KEY))).toHaveLength(1);
    // The server's own loops read these.
    expect(
      lines.filter((line) => line.includes('/registry/flowschemas/global-default')).length,
    ).toBeLessThanOrEqual(1);
  });

  it('keep their recoverable allocations: the address and port of a damaged Service are not reallocated', async () => {
    const [named] = cluster.log.filter((line) => line.includes('stored Service is corrupt'));
    expect(named).toContain(`${SERVICE_KEY}" addresses="10.0.0.77" ports="31077"`);
    const services = '/api/v1/namespaces/default/services';
    const taken = (spec: object) =>
      answer(services, 'POST', { metadata: { name: 'other' }, spec: { ports: [{ port: 80 }], ...spec } });
    for (const spec of [
      { clusterIP: '10.0.0.77' },
      { type: 'NodePort', ports: [{ port: 80, nodePort: 31077 }] },
    ]) {
      const { status, object } = await taken(spec);
      expect(status).toBe(422);
      expect(object.message).toContain('provided');
      expect(object.message).toContain('is already allocated');
    }
    expect(
      (await answer(services, 'POST', { metadata: { name: 'lost' }, spec: { ports: [{ port: 80 }] } }))
        .status,
    ).toBe(409);
  });

  it('end only the watches that include them with an error', async () => {
    const [first, ...more] = await events('', 10);
    expect(first).toMatchObject({ type: 'ERROR', object: { code: 500 } });
    expect(more).toEqual([]);
    const others = events('fieldSelector=metadata.name%3Dwhole', 2);
    await answer(`${CONFIG_MAPS}/whole`, 'PUT', {
      metadata: { name: 'whole', finalizers: ['example.com/held'] },
      data: { key: 'new' },
    });
    expect((await others).map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED']);
  });

  it('are deleted only by the unsafe deletion, which requires a separate permission and a damaged object', async () => {
    const bob = { authorization: 'Bearer token-of-bob' };
    const refused = await answer(`${CONFIG_MAPS}/damaged`, 'DELETE', UNSAFE, bob);
    expect(refused).toMatchObject({ status: 403, object: { reason: 'Forbidden' } });
    expect((await answer(`${CONFIG_MAPS}/whole`, 'DELETE', UNSAFE)).status).toBe(422);
    const dryRun = { ...UNSAFE, dryRun: ['All'] };
    expect((await answer(`${CONFIG_MAPS}/damaged`, 'DELETE', dryRun)).status).toBe(422);

    const { object } = await answer('/api/v1/nodes');
    const { resourceVersion } = (object as unknown as { metadata: { resourceVersion: string } }).metadata;
    const watch = events(`resourceVersion=${resourceVersion}`, 10);
    expect((await answer(`${CONFIG_MAPS}/damaged`, 'DELETE', UNSAFE)).status).toBe(200);
    // The event cannot include the undecodable object: the client lists again.
    expect((await watch).at(-1)!.type).toBe('ERROR');
    expect((await answer(CONFIG_MAPS)).status).toBe(200);
    expect((await answer(`${CONFIG_MAPS}/damaged`)).status).toBe(404);
  });
});
