import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openEmbeddedStorage } from '../../../src/storage/embedded/index.ts';
import { startCluster } from '../../../src/testing/index.ts';
import { RECORDED, recordedDirectory } from './recorded-values.ts';

it('answers and stores as kube-apiserver 1.32 does on data of 1.34, and keeps what it cannot read', async () => {
  const dataDir = await recordedDirectory();
  const cluster = await startCluster({
    storageBackend: 'embedded',
    dataDir,
    controllers: ['-*'],
    runtimeConfig: ['api/all=true'],
    featureGates: ['DynamicResourceAllocation=true'],
  });
  for (const { key, path, answers } of RECORDED.objects) {
    if (path === undefined) continue;
    for (const { method, body, status, object } of answers) {
      const response = await cluster.fetch(path, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: { 'content-type': 'application/merge-patch+json' },
      });
      const answer = (await response.json()) as { metadata: Record<string, unknown>; message?: string };
      expect.soft([key, method, response.status]).toEqual([key, method, status]);
      if (status === 200) {
        delete answer.metadata.managedFields;
        delete answer.metadata.resourceVersion;
        expect.soft(answer, key).toEqual(object);
      } else expect.soft(answer.message, key).toContain(object.message);
    }
  }
  await cluster.stop();
  const storage = await openEmbeddedStorage({ directory: join(dataDir, 'store') });
  for (const { key, value, answers } of RECORDED.objects) {
    const { entry } = await storage.get(key);
    const last = answers.at(-1)?.stored ?? 'unchanged';
    if (last === 'unchanged') expect.soft(Buffer.from(entry!.value).toString('base64'), key).toBe(value);
    // Times of field managers differ, and nothing else.
    else expect.soft(entry!.value.length, key).toBe(Buffer.from(last, 'base64').length);
  }
  await storage.close();
});
