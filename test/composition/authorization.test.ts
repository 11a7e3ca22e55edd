import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { WebhookServer } from '../support/webhook-server.ts';

const hook = new WebhookServer(() => ({}));
const directory = mkdtempSync(join(tmpdir(), 'binnacle-authz-'));
const file = join(directory, 'authorization.json');
const webhook = (fields: object = {}) => ({
  timeout: '20s',
  subjectAccessReviewVersion: 'v1',
  failurePolicy: 'NoOpinion',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: hook.kubeconfigFile },
  ...fields,
});
const write = (...authorizers: object[]) =>
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AuthorizationConfiguration',
      authorizers,
    }),
  );
const rbac = { type: 'RBAC', name: 'rbac' };

beforeAll(() => hook.start());
afterAll(async () => {
  await hook.stop();
  rmSync(directory, { recursive: true });
});

async function as(cluster: TestCluster, name: string, path = '/api/v1/namespaces/default/configmaps') {
  const response = await cluster.fetch(path, { headers: { 'impersonate-user': name } });
  return { status: response.status, text: await response.text(), headers: response.headers };
}
async function metrics(cluster: TestCluster): Promise<string> {
  const text = await (await cluster.fetch('/metrics')).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith('apiserver_authorization_'))
    .join('\n');
}

/** Polls until the condition holds: files are reloaded in the background. */
async function eventually(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

describe('an AuthorizationConfiguration file', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    hook.answer = ({ body }) => {
      const { user } = body['spec'] as { user: string };
      if (user === 'broken') return { status: 404, text: '<no>' };
      return {
        status:
          user === 'friend'
            ? { allowed: true }
            : user === 'foe'
              ? { denied: true, reason: 'go away' }
              : { allowed: false, reason: 'who knows' },
      };
    };
    write({ type: 'Webhook', name: 'gate', webhook: webhook() }, rbac);
    cluster = await startCluster({ authorizationConfig: file });
  });
  afterAll(() => cluster.stop());

  it('calls its authorizers in order', async () => {
    expect((await as(cluster, 'friend')).status).toBe(200);
    const foe = await as(cluster, 'foe');
    expect(foe.status).toBe(403);
    expect(JSON.parse(foe.text)).toMatchObject({
      message:
        'configmaps is forbidden: User "foe" cannot list resource "configmaps" in API group "" in the namespace "default": go away',
    });
    expect(foe.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await as(cluster, 'nobody')).text).toContain('in the namespace \\"default\\": who knows');
    const text = await metrics(cluster);
    expect(text).toContain(
      'apiserver_authorization_decisions_total{decision="allowed",name="gate",type="Webhook"} 1',
    );
    expect(text).toContain(
      'apiserver_authorization_decisions_total{decision="denied",name="gate",type="Webhook"} 1',
    );
    expect(text).toMatch(
      /apiserver_authorization_webhook_evaluations_total\{name="gate",result="success"\} \d/,
    );
  });

  it('returns 500 if an authorizer fails and no other one allows', async () => {
    const { status, text, headers } = await as(
      cluster,
      'broken',
      '/api/v1/namespaces/default/configmaps?limit=1&fieldSelector=metadata.name%3Dx',
    );
    expect(status).toBe(500);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text).toBe(
      'Internal Server Error: "/api/v1/namespaces/default/configmaps?limit=1&amp;fieldSelector=metadata.name%3Dx": the server could not find the requested resource\n',
    );
    expect(await metrics(cluster)).toContain(
      'apiserver_authorization_webhook_evaluations_fail_open_total{name="gate",result="error"} 1',
    );
  });

  it('is reloaded after a change, and kept after an invalid one', async () => {
    write({ type: 'AlwaysDeny', name: 'alwaysdeny' });
    await eventually(
      async () =>
        (await metrics(cluster)).includes('automatic_reloads_total{apiserver_id_hash="sha256:') &&
        (await metrics(cluster)).includes('status="success"} 1'),
    );
    write(rbac, { type: 'ABAC', name: 'abac' });
    await eventually(async () => (await metrics(cluster)).includes('status="failure"} 1'));
    expect(cluster.log.join('')).toContain(
      'authorizer type ABAC is not allowed if it was not enabled at initial server startup',
    );
    // system:masters is never locked out; all others are.
    expect((await cluster.fetch('/api/v1/namespaces')).status).toBe(200);
    expect((await as(cluster, 'friend')).status).toBe(403);
    write(rbac);
    await eventually(
      async () =>
        (await as(cluster, 'system:kube-controller-manager', '/api/v1/namespaces/default/configmaps/absent'))
          .status !== 403 ||
        (await as(cluster, 'system:kube-controller-manager', '/api/v1/namespaces')).status === 200,
    );
  });
});

describe('authorization by flags', () => {
  it('calls a webhook', async () => {
    hook.answer = ({ body }) => ({
      apiVersion: 'authorization.k8s.io/v1beta1',
      kind: 'SubjectAccessReview',
      status: { allowed: 'group' in (body['spec'] as object) },
    });
    await using cluster = await startCluster({
      authorizationMode: ['Webhook'],
      authorizationWebhookConfigFile: hook.kubeconfigFile,
    });
    expect((await as(cluster, 'anybody')).status).toBe(200);
    expect(await metrics(cluster)).toContain(
      'apiserver_authorization_decisions_total{decision="allowed",name="default",type="Webhook"}',
    );
  });

  it('reads a policy file', async () => {
    const policies = join(directory, 'policies');
    writeFileSync(
      policies,
      JSON.stringify({
        apiVersion: 'abac.authorization.kubernetes.io/v1beta1',
        kind: 'Policy',
        spec: { user: 'abby', namespace: '*', resource: 'configmaps', readonly: true },
      }),
    );
    await using cluster = await startCluster({
      authorizationMode: ['ABAC'],
      authorizationPolicyFile: policies,
    });
    expect((await as(cluster, 'abby')).status).toBe(200);
    const refused = await as(cluster, 'abby', '/api/v1/secrets');
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('No policy matched.');
    writeFileSync(policies, '\n{');
    await expect(
      startCluster({ authorizationMode: ['ABAC'], authorizationPolicyFile: policies }),
    ).rejects.toThrow(`error reading policy file ${policies}, line 2: {`);
  });

  it('allows a node to read the objects that its pods use, once they are bound', async () => {
    await using cluster = await startCluster({
      authorizationMode: ['Node', 'RBAC'],
      disableAdmissionPlugins: ['ServiceAccount'],
    });
    const node = async (path: string) => {
      const headers = { 'impersonate-user': 'system:node:one', 'impersonate-group': 'system:nodes' };
      const response = await cluster.fetch(path, { headers });
      return { status: response.status, text: await response.text() };
    };
    const secrets = '/api/v1/namespaces/default/secrets';
    const create = async (path: string, body: object) =>
      expect((await cluster.fetch(path, { method: 'POST', body })).status).toBe(201);
    await create(secrets, { metadata: { name: 's' } });
    await create('/api/v1/namespaces/default/pods', {
      metadata: { name: 'p' },
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        volumes: [{ name: 'v', secret: { secretName: 's' } }],
      },
    });
    const before = await node(`${secrets}/s`);
    expect(before.status).toBe(403);
    expect(before.text).toContain("no relationship found between node 'one' and this object");
    await create('/api/v1/namespaces/default/pods/p/binding', {
      metadata: { name: 'p' },
      target: { kind: 'Node', name: 'one' },
    });
    await eventually(async () => (await node(`${secrets}/s`)).status === 200);
    expect((await node('/api/v1/pods?fieldSelector=spec.nodeName%3Done')).status).toBe(200);
    expect((await node('/api/v1/pods')).status).toBe(403);
    await cluster.fetch('/api/v1/namespaces/default/pods/p', {
      method: 'DELETE',
      body: { gracePeriodSeconds: 0 },
    });
    await eventually(async () => (await node(`${secrets}/s`)).status === 403);
  });

  it('rejects an unusable webhook kubeconfig', async () => {
    await expect(
      startCluster({ authorizationMode: ['Webhook'], authorizationWebhookConfigFile: '/absent' }),
    ).rejects.toThrow('stat /absent: no such file or directory');
    await expect(
      startCluster({
        authorizationMode: ['Webhook'],
        authorizationWebhookConfigFile: hook.kubeconfigFile,
        authorizationWebhookVersion: 'v2',
      }),
    ).rejects.toThrow('unsupported webhook authorizer version "v2"');
  });
});
