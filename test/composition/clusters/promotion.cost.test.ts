import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';
import { promotedBytesAsync } from '../../support/retained.ts';

const FORKS = 20;
/** Bytes of a fork, see {@link promotedBytesAsync}; one that is asked for an object allocates 1.3 MB. */
const MOST_PROMOTED = 250_000;

let parent: TestCluster;
beforeAll(async () => {
  parent = await startCluster();
  await parent.quiescent();
});
afterAll(() => parent.stop());

it('V8 can free a cluster that has ended without a full collection', async () => {
  const promoted = await promotedBytesAsync(FORKS, async () => {
    const fork = await parent.fork();
    await (await fork.fetch('/api/v1/namespaces/default')).text();
    await fork.stop();
  });
  expect(promoted).toBeLessThan(MOST_PROMOTED);
});
