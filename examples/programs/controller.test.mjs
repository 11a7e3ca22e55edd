// A test with a cluster of its own: node --test controller.test.mjs
import assert from 'node:assert/strict';
import test from 'node:test';
import { startCluster } from 'binnacle/testing';

test('a ConfigMap that was created can be read', async () => {
  const cluster = await startCluster();
  try {
    const namespace = await cluster.createNamespace();
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const body = { metadata: { name: 'settings' }, data: { color: 'blue' } };
    const created = await cluster.fetch(path, { method: 'POST', body });
    assert.equal(created.status, 201);
    const found = await (await cluster.fetch(`${path}/settings`)).json();
    assert.deepEqual(found.data, { color: 'blue' });
  } finally {
    await cluster.stop();
  }
});
