import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ClusterSet } from '../../../src/composition/clusters/cluster-set.ts';
import type { FurtherCluster } from '../../../src/composition/clusters/further-cluster.ts';
import { type StartedServer, startClusterAt } from '../../../src/server.ts';
import { type InProcessFetch, inProcessFetch } from '../../../src/testing/fetch.ts';
import { AdjustableClock } from '../../../src/time/adjustable-clock.ts';
import { processClock } from '../../../src/time/clock.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

interface Answer {
  readonly status: number;
  readonly body: {
    readonly metadata?: { readonly resourceVersion?: string; readonly uid?: string };
    readonly items?: readonly { readonly metadata: { readonly name: string } }[];
    readonly data?: Readonly<Record<string, string>>;
    readonly message?: string;
    readonly [member: string]: unknown;
  };
}

describe('the clusters of a server', () => {
  let server: StartedServer;
  let clusters: ClusterSet;
  let byCertificate: InProcessFetch;
  const opened: FurtherCluster[] = [];

  beforeAll(async () => {
    server = await startClusterAt(
      new AdjustableClock(processClock),
      { storageBackend: 'memory', securePort: 0 },
      { log: () => undefined },
    );
    server.unref();
    clusters = await server.openClusters();
    byCertificate = inProcessFetch(server.handle, adminOf(server.kubeconfig));
  });

  afterEach(async () => {
    for (const cluster of opened.splice(0)) await clusters.remove(cluster);
  });

  afterAll(() => server.stop());

  const keep = async (cluster: Promise<FurtherCluster>): Promise<FurtherCluster> => {
    opened.push(await cluster);
    return cluster;
  };

  async function ask(target: string, token: string, method = 'GET', body?: object): Promise<Answer> {
    const response = await byCertificate(target, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  const at = (cluster: FurtherCluster, path: string, method?: string, body?: object): Promise<Answer> =>
    ask(cluster.pathPrefix + path, cluster.token, method, body);

  const names = async (cluster: FurtherCluster): Promise<string[]> =>
    (await at(cluster, MAPS)).body
      .items!.map(({ metadata }) => metadata.name)
      .filter((name) => name.length === 1);

  it('answers below its path, with objects of its own', async () => {
    const [one, other] = [await keep(clusters.create('one')), await keep(clusters.create('other'))];
    expect((await at(one, MAPS, 'POST', { metadata: { name: 'a' } })).status).toBe(201);
    expect(await names(one)).toEqual(['a']);
    expect(await names(other)).toEqual([]);
    expect((await byCertificate(`${MAPS}/a`)).status).toBe(404);
    expect((await at(one, '/version')).body['gitVersion']).toMatch(/^v1\./);
  });

  it('refuses the credentials of another cluster', async () => {
    const parent = await keep(clusters.create());
    const fork = await keep(clusters.fork(parent));
    const token = async (cluster: FurtherCluster): Promise<string> => {
      const path = '/api/v1/namespaces/default/serviceaccounts/default/token';
      const { body } = await at(cluster, path, 'POST', { spec: {} });
      return (body['status'] as { token: string }).token;
    };
    const [ofParent, ofFork] = [await token(parent), await token(fork)];
    const statuses = async (cluster: FurtherCluster, tokens: readonly string[]): Promise<number[]> =>
      Promise.all(tokens.map(async (one) => (await ask(`${cluster.pathPrefix}/api`, one)).status));
    expect(await statuses(parent, [parent.token, ofParent, fork.token, ofFork])).toEqual([
      200, 200, 401, 401,
    ]);
    expect(await statuses(fork, [parent.token, ofParent, fork.token, ofFork])).toEqual([401, 401, 200, 200]);
    expect((await ask('/api', parent.token)).status).toBe(401);
    // The certificate is that of the first cluster.
    expect((await byCertificate(`${fork.pathPrefix}/api/v1/nodes`)).status).toBe(401);
    for (const cluster of [parent, fork]) {
      const own = inProcessFetch(server.handle, cluster.certificates.admin.certificate);
      expect((await own(`${cluster.pathPrefix}/api/v1/nodes`)).status).toBe(200);
      expect((await own('/api/v1/nodes')).status).toBe(401);
      const others = opened.filter((one) => one !== cluster);
      for (const other of others) expect((await own(`${other.pathPrefix}/api/v1/nodes`)).status).toBe(401);
    }
  });

  it('publishes its own client authority alone', async () => {
    const parent = await keep(clusters.create());
    const fork = await keep(clusters.fork(parent));
    for (const cluster of [parent, fork]) {
      const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
      const published = async () => (await at(cluster, path)).body.data!['client-ca-file'];
      expect(await published()).toBe(cluster.certificates.authority.certificate);
      await at(cluster, MAPS, 'POST', { metadata: { name: 'a' } });
      await cluster.quiescent();
      expect(await published()).toBe(cluster.certificates.authority.certificate);
      await cluster.reset();
      expect(await published()).toBe(cluster.certificates.authority.certificate);
    }
  });

  it('has an issuer of its own', async () => {
    const cluster = await keep(clusters.create('issuing'));
    const { body } = await at(cluster, '/.well-known/openid-configuration');
    expect(body['issuer']).toMatch(/\/clusters\/issuing$/);
    expect(body['jwks_uri']).toMatch(/\/clusters\/issuing\/openid\/v1\/jwks$/);
  });

  it('shows its path in OpenAPI', async () => {
    const cluster = await keep(clusters.create('described'));
    const { body } = await at(cluster, '/openapi/v3');
    const { serverRelativeURL: url } = (body['paths'] as Record<string, { serverRelativeURL: string }>)[
      'api/v1'
    ]!;
    expect(url).toMatch(/^\/clusters\/described\/openapi\/v3\/api\/v1\?hash=/);
    expect((await ask(url, cluster.token)).status).toBe(200);
    const moved = await byCertificate(`${url}0`, { headers: { authorization: `Bearer ${cluster.token}` } });
    expect([moved.status, moved.headers.get('location')]).toEqual([301, url]);
  });

  it('forks with the present state, and the two go on for themselves', async () => {
    const parent = await keep(clusters.create());
    await at(parent, MAPS, 'POST', { metadata: { name: 'a' } });
    const fork = await keep(clusters.fork(parent));
    await at(parent, MAPS, 'POST', { metadata: { name: 'b' } });
    await at(fork, MAPS, 'POST', { metadata: { name: 'c' } });
    const second = await keep(clusters.fork(fork));
    expect([await names(parent), await names(fork), await names(second)]).toEqual([
      ['a', 'b'],
      ['a', 'c'],
      ['a', 'c'],
    ]);
  });

  it('forks the first cluster', async () => {
    await byCertificate(MAPS, { method: 'POST', body: { metadata: { name: 'f' } } });
    const fork = await keep(clusters.fork(server.first()));
    expect(await names(fork)).toEqual(['f']);
    await at(fork, `${MAPS}/f`, 'DELETE');
    expect((await byCertificate(`${MAPS}/f`)).status).toBe(200);
  });

  it('resets to its first state, under a higher revision', async () => {
    const parent = await keep(clusters.create());
    await at(parent, MAPS, 'POST', { metadata: { name: 'a' } });
    const fork = await keep(clusters.fork(parent));
    await at(fork, `${MAPS}/a`, 'DELETE');
    await at(fork, MAPS, 'POST', { metadata: { name: 'b' } });
    const revision = Number((await at(fork, MAPS)).body.metadata!.resourceVersion);
    const watched = await byCertificate(`${fork.pathPrefix}${MAPS}?watch=1&resourceVersion=${revision}`, {
      headers: { authorization: `Bearer ${fork.token}` },
    });
    await fork.reset();
    expect(await watched.text()).toContain('"code":410');
    const list = await at(fork, MAPS);
    expect(Number(list.body.metadata!.resourceVersion)).toBeGreaterThan(revision);
    expect(await names(fork)).toEqual(['a']);
    const late = await at(fork, `${MAPS}?resourceVersion=${revision}&resourceVersionMatch=Exact`);
    expect(late.status).toBe(410);
  });

  it('deletes what it owns when its owner goes: controllers start with the first change', async () => {
    const cluster = await keep(clusters.create());
    await at(cluster, '/api/v1/namespaces', 'POST', { metadata: { name: 'n' } });
    await cluster.quiescent();
    expect((await at(cluster, '/api/v1/namespaces/n/serviceaccounts/default')).status).toBe(200);
    await at(cluster, '/api/v1/namespaces/n', 'DELETE');
    await cluster.quiescent();
    expect((await at(cluster, '/api/v1/namespaces/n')).status).toBe(404);
  });

  it('is gone once it is removed, and its name is free', async () => {
    const cluster = await clusters.create('short');
    await expect(clusters.create('short')).rejects.toThrow('a cluster named "short" exists');
    await clusters.remove(cluster);
    expect((await at(cluster, '/api')).status).toBe(404);
    await keep(clusters.create('short'));
  });

  it.each(['', 'A', '-a', 'a.b', 'a'.repeat(64)])('refuses the name %j', async (name) => {
    await expect(clusters.create(name)).rejects.toThrow('the name of a cluster is a DNS label');
  });
});

/** The certificate of an administrator's kubeconfig, PEM. */
function adminOf(kubeconfig: string): string {
  const [, base64 = ''] = /client-certificate-data: (\S+)/.exec(kubeconfig) ?? [];
  return Buffer.from(base64, 'base64').toString();
}
