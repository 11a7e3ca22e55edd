import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { WebhookServer } from '../support/webhook-server.ts';

/** Allows images unless their name contains `bad`. */
const backend = new WebhookServer(({ body }) => ({
  apiVersion: 'imagepolicy.k8s.io/v1alpha1',
  kind: 'ImageReview',
  status: JSON.stringify(body.spec).includes('bad')
    ? { allowed: false, reason: 'image is bad' }
    : { allowed: true },
}));
let cluster: TestCluster;

beforeAll(async () => {
  await backend.start();
  const file = join(backend.directory, 'admission.json');
  const plugins = [
    {
      name: 'ImagePolicyWebhook',
      configuration: { imagePolicy: { kubeConfigFile: backend.kubeconfigFile, denyTTL: 1 } },
    },
    {
      name: 'EventRateLimit',
      configuration: {
        apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
        kind: 'Configuration',
        limits: [{ type: 'Namespace', qps: 1, burst: 1 }],
      },
    },
  ];
  writeFileSync(
    file,
    JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins }),
  );
  cluster = await startCluster({
    controllers: ['-*'],
    admissionControlConfigFile: file,
    enableAdmissionPlugins: ['NamespaceAutoProvision', 'ImagePolicyWebhook', 'EventRateLimit', 'AlwaysAdmit'],
    disableAdmissionPlugins: ['ServiceAccount'],
  });
});
afterAll(async () => {
  await cluster.stop();
  await backend.stop();
});

async function post(path: string, body: object) {
  const response = await cluster.fetch(`/api/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as object };
}
const configMap = (name: string) => ({ metadata: { name } });
const pod = (name: string, image: string) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image }] },
});

describe('configured admission plugins in a server', () => {
  it('create the namespace of a new object, also for concurrent requests', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all(
      names.map((name) => post('namespaces/fresh/configmaps', configMap(name))),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await cluster.fetch('/api/v1/namespaces/fresh')).status).toBe(200);
  });

  it('say why a namespace cannot be created', async () => {
    const { status, body } = await post('namespaces/Not_OK/configmaps', configMap('a'));
    expect(status).toBe(403);
    expect(body).toMatchObject({
      message: expect.stringContaining(
        'configmaps "a" is forbidden: Namespace "Not_OK" is invalid: metadata.name: Invalid value: "Not_OK"',
      ) as string,
    });
  });

  it('ask the backend of the image policy', async () => {
    expect((await post('namespaces/default/pods', pod('good', 'i.test/good'))).status).toBe(201);
    const { status, body } = await post('namespaces/default/pods', pod('bad', 'i.test/bad'));
    expect(status).toBe(403);
    expect(body).toMatchObject({
      message:
        'pods "bad" is forbidden: image policy webhook backend denied one or more images: image is bad',
    });
    expect(backend.calls[0]).toMatchObject({
      path: '/hook',
      body: { kind: 'ImageReview', spec: { namespace: 'default' } },
    });
  });

  it('limit events', async () => {
    const event = (name: string) => ({ metadata: { name }, involvedObject: { namespace: 'default' } });
    expect((await post('namespaces/default/events', event('a'))).status).toBe(201);
    const { status, body, headers } = await post('namespaces/default/events', event('b'));
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBeNull();
    expect(body).toMatchObject({
      reason: 'TooManyRequests',
      message: 'Too many requests: limit reached on type Namespace for key default',
    });
  });

  it('are reported when they are deprecated', () => {
    expect(cluster.log.join('')).toContain('AlwaysAdmit admission controller is deprecated');
  });
});
