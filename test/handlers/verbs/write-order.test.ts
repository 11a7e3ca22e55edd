import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster({ disableAdmissionPlugins: ['ServiceAccount'], controllers: ['-*'] });
});
afterAll(() => cluster.stop());

const LARGE = 'x'.repeat(4 << 20);
const COLLECTION = '/api/v1/namespaces/default/configmaps';

/** What is wrong with the write: its type, its options, or the length of its body. */
it.each([
  ['POST', 'text/x', '', LARGE, 415],
  ['POST', 'text/x', '?dryRun=x', '{}', 415],
  ['POST', 'application/json', '?dryRun=x', LARGE, 413],
  ['POST', 'application/json', '?dryRun=x', '{}', 422],
  ['PUT', 'text/x', '?dryRun=x', LARGE, 413],
  ['PUT', 'text/x', '?dryRun=x', '{}', 422],
  ['PUT', 'text/x', '', '{}', 415],
  ['PATCH', 'text/x', '?dryRun=x', LARGE, 415],
  ['PATCH', 'application/merge-patch+json', '?force=true', LARGE, 413],
  ['PATCH', 'application/merge-patch+json', '?force=true', 'bad', 422],
  ['PATCH', 'application/apply-patch+yaml', '', LARGE, 413],
  ['PATCH', 'application/apply-patch+yaml', '', ':', 422],
])('%s checks the type, the length and the options in the order of kube-apiserver: %s%s', async (...row) => {
  const [method, type, query, body, status] = row;
  const path = `${COLLECTION}${method === 'POST' ? '' : '/a'}${query}`;
  const answer = await cluster.fetch(path, { method, headers: { 'content-type': type }, body });
  expect(answer.status).toBe(status);
});
