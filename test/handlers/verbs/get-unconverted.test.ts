import { expect, it } from 'vitest';
import { startCluster } from '../../../src/testing/index.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object' } },
});

interface Answer {
  readonly kind?: string;
  readonly code?: number;
}

/** The answer to a GET of an object whose stored version its definition no longer has. */
async function answerIn(kubernetesVersion: '1.36' | '1.37') {
  const cluster = await startCluster({ kubernetesVersion, controllers: ['-*'] });
  try {
    const send = async (method: string, path: string, body: object): Promise<Answer> =>
      (
        await cluster.fetch(path, {
          method,
          headers: {
            'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
          },
          body: JSON.stringify(body),
        })
      ).json() as Promise<Answer>;
    await send('POST', CRDS, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'vers.versions.test' },
      spec: {
        group: 'versions.test',
        scope: 'Cluster',
        names: { plural: 'vers', kind: 'Ver' },
        versions: [version('v1', true), version('v2', false)],
      },
    });
    const created = async (): Promise<boolean> =>
      (
        await send('POST', '/apis/versions.test/v1/vers', {
          apiVersion: 'versions.test/v1',
          kind: 'Ver',
          metadata: { name: 'one' },
        }).catch(() => undefined)
      )?.kind === 'Ver';
    await expect.poll(created).toBe(true);
    const path = `${CRDS}/vers.versions.test`;
    await send('PATCH', path, { spec: { versions: [version('v1', false), version('v2', true)] } });
    await send('PATCH', `${path}/status`, { status: { storedVersions: ['v2'] } });
    await send('PATCH', path, { spec: { versions: [version('v2', true)] } });
    const get = async (): Promise<Answer> =>
      (await cluster.fetch('/apis/versions.test/v2/vers/one')).json() as Promise<Answer>;
    await expect.poll(async () => (await get()).code).toBe(500);
    return get();
  } finally {
    await cluster.stop();
  }
}

const TEXT = 'request to convert CR from an invalid group/version: versions.test/v1';

it('reports an object that cannot be converted as corrupt where corrupt objects can be deleted', async () => {
  expect(await answerIn('1.36')).toMatchObject({ message: TEXT });
  const message = expect.stringMatching(
    /^Internal error occurred: StorageError: corrupt object, Code: 7, Key: \/versions\.test\/vers\/one, .*versions\.test\/v1$/,
  );
  expect(await answerIn('1.37')).toMatchObject({ reason: 'InternalError', message });
});
