import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as startRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';

const directory = mkdtempSync(join(tmpdir(), 'binnacle-front-proxy-'));
let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster({ controllers: ['-*'], certDir: directory });
});
afterAll(async () => {
  await cluster.stop();
  rmSync(directory, { recursive: true });
});

it('accepts no user names from the holder of the generated front-proxy certificate', async () => {
  const status = await new Promise((resolve, reject) => {
    const outgoing = startRequest(`${cluster.url}/api/v1/namespaces`, {
      ca: cluster.caBundle,
      cert: readFileSync(join(directory, 'front-proxy-client.crt')),
      key: readFileSync(join(directory, 'front-proxy-client.key')),
      headers: { 'x-remote-user': 'kubernetes-admin', 'x-remote-group': 'system:masters' },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    outgoing.end();
  });
  expect(status).toBe(401);
});

it('is published apart from the CA of clients', async () => {
  const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
  const { data } = (await (await cluster.fetch(path)).json()) as { data: Record<string, string> };
  expect(data['requestheader-client-ca-file']).toBe(
    readFileSync(join(directory, 'front-proxy-ca.crt'), 'utf8'),
  );
  expect(data['client-ca-file']).not.toContain(data['requestheader-client-ca-file']);
});
