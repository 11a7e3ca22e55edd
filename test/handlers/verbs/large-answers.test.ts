import { afterEach, expect, it, vi } from 'vitest';
import { ServedResource } from '../../../src/registry/served-resource.ts';
import { startCluster } from '../../../src/testing/index.ts';

afterEach(() => vi.restoreAllMocks());

it('makes the answer to a large write in steps, even if its turn has time left', async () => {
  const cluster = await startCluster({ controllers: ['-*'], disableAdmissionPlugins: ['ServiceAccount'] });
  try {
    const data = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`k${index}`, 'v']));
    const body = JSON.stringify({ metadata: { name: 'large' }, data });
    const inSteps = vi.spyOn(ServedResource.prototype, 'jsonInSteps');
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now);
    const answer = await cluster.fetch('/api/v1/namespaces/default/configmaps?dryRun=All', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(201);
    expect(((await answer.json()) as { data: object }).data).toEqual(data);
    expect(inSteps).toHaveBeenCalledOnce();
  } finally {
    vi.restoreAllMocks();
    await cluster.stop();
  }
});
