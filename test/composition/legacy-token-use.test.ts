import { expect, it, vi } from 'vitest';
import { labelUsedTokens } from '../../src/composition/server-loops.ts';
import { startCluster } from '../../src/testing/index.ts';
import { silentLogger } from '../replicas/helpers.ts';

it('labels the secret of a legacy token with the day of its last use', async () => {
  const cluster = await startCluster();
  try {
    const secrets = '/api/v1/namespaces/default/secrets';
    const body = {
      metadata: { name: 's', annotations: { 'kubernetes.io/service-account.name': 'default' } },
      type: 'kubernetes.io/service-account-token',
    };
    await vi.waitFor(async () =>
      expect((await cluster.fetch('/api/v1/namespaces/default/serviceaccounts/default')).status).toBe(200),
    );
    expect((await cluster.fetch(secrets, { method: 'POST', body })).status).toBe(201);
    const read = async () =>
      (await (await cluster.fetch(`${secrets}/s`)).json()) as {
        metadata: { labels?: Record<string, string> };
        data?: { token?: string };
      };
    const token = await vi.waitFor(async () => {
      const { data } = await read();
      expect(data?.token).toBeDefined();
      return Buffer.from(data!.token!, 'base64').toString();
    });
    const review = { method: 'POST', body: { spec: { token } } };
    await cluster.fetch('/apis/authentication.k8s.io/v1/tokenreviews', review);
    await vi.waitFor(async () =>
      expect((await read()).metadata.labels).toEqual({
        'kubernetes.io/legacy-token-last-used': new Date().toISOString().slice(0, 10),
      }),
    );
  } finally {
    await cluster.stop();
  }
});

it('does not write the same label twice at once', async () => {
  const written: string[] = [];
  let finish: () => void = () => undefined;
  const note = labelUsedTokens(
    {
      patch: (_, namespace, name) => {
        written.push(`${namespace}/${name}`);
        return new Promise((resolve) => {
          finish = () => resolve({});
        });
      },
    },
    silentLogger,
  );
  const secret = { namespace: 'n', name: 's', uid: 'u' };
  note(secret, '2030-01-01');
  note(secret, '2030-01-01');
  note({ ...secret, name: 't' }, '2030-01-01');
  expect(written).toEqual(['n/s', 'n/t']);
  finish();
});
