import { describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const REVIEWS = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

const post = (cluster: TestCluster, path: string, body: object, headers = {}) =>
  cluster.fetch(path, { method: 'POST', body, headers });

async function tokenOf(cluster: TestCluster, name: string, spec: object = {}): Promise<string> {
  const response = await post(cluster, `${ACCOUNTS}/${name}/token`, { spec });
  return ((await response.json()) as { status: { token: string } }).status.token;
}

const statusWith = async (cluster: TestCluster, token: string): Promise<number> =>
  (await post(cluster, REVIEWS, {}, { authorization: `Bearer ${token}` })).status;

describe('tokens of service accounts', () => {
  it('stay valid when their cluster is reset, unless the first state does not have their account', async () => {
    await using first = await startCluster({ controllers: ['-*'] });
    await post(first, ACCOUNTS, { metadata: { name: 'early' } });
    await using fork = await first.fork();
    await post(fork, ACCOUNTS, { metadata: { name: 'late' } });
    const [early, late] = [await tokenOf(fork, 'early'), await tokenOf(fork, 'late')];
    expect([await statusWith(fork, early), await statusWith(fork, late)]).toEqual([201, 201]);
    await fork.reset();
    expect([await statusWith(fork, early), await statusWith(fork, late)]).toEqual([201, 401]);
    expect(await statusWith(first, early)).toBe(401);
  });

  it('end by the time of their cluster', async () => {
    await using first = await startCluster({ controllers: ['-*'] });
    await post(first, ACCOUNTS, { metadata: { name: 'a' } });
    await using fork = await first.fork();
    fork.clock.freeze();
    const token = await tokenOf(fork, 'a', { expirationSeconds: 600 });
    // A verifier allows for a minute between two clocks, as that of kube-apiserver does.
    await fork.clock.advance('10m59s');
    expect(await statusWith(fork, token)).toBe(201);
    await fork.clock.advance('2s');
    expect(await statusWith(fork, token)).toBe(401);
  });
});
