import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TemporaryDirectory } from '../../src/files/temporary-directory.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { configure, webhook } from '../admission/webhook/support.ts';
import { ConnectProxyServer } from '../outbound/connect-proxy-server.ts';
import { serverCertificate } from '../outbound/servers.ts';
import { type WebhookCall, WebhookServer } from '../support/webhook-server.ts';

const POLICY = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] };

/** Answers every kind of review, and takes audit events. */
function answerOf({ body }: WebhookCall): object {
  const { kind, apiVersion, request } = body as { kind: string; apiVersion: string; request?: object };
  const status = kind === 'SubjectAccessReview' ? { allowed: false } : { authenticated: false };
  if (kind === 'AdmissionReview')
    return { kind, apiVersion, response: { uid: (request as { uid: string }).uid, allowed: true } };
  return { kind, apiVersion, status };
}

describe('egress proxies', () => {
  let files: TemporaryDirectory;
  let hook: WebhookServer;
  let cluster: TestCluster | undefined;
  let controlplane: ConnectProxyServer;
  let toCluster: ConnectProxyServer;
  beforeEach(async () => {
    files = new TemporaryDirectory();
    hook = await new WebhookServer(answerOf).start();
    controlplane = await new ConnectProxyServer().listen();
    toCluster = await new ConnectProxyServer().listen();
  });
  afterEach(async () => {
    await cluster?.stop();
    await controlplane.close();
    await toCluster.close();
    await hook.stop();
    files.remove();
  });

  const file = (name: string, content: object) => {
    writeFileSync(files.path(name), JSON.stringify(content));
    return files.path(name);
  };
  const selection = (name: string, port: number) => ({
    name,
    connection: { proxyProtocol: 'HTTPConnect', transport: { tcp: { url: `http://127.0.0.1:${port}` } } },
  });
  const start = async (more: object = {}) => {
    const egressSelections = [
      selection('controlplane', controlplane.port),
      selection('cluster', toCluster.port),
    ];
    cluster = await startCluster({
      controllers: ['-*'],
      egressSelectorConfigFile: file('egress.json', {
        apiVersion: 'apiserver.k8s.io/v1beta1',
        kind: 'EgressSelectorConfiguration',
        egressSelections,
      }),
      ...more,
    });
    return cluster;
  };

  it('carry all calls of webhooks: of admission, authentication, authorization and audit', async () => {
    const running = await start({
      authenticationTokenWebhookConfigFile: hook.kubeconfigFile,
      authorizationMode: ['Webhook', 'RBAC'],
      authorizationWebhookConfigFile: hook.kubeconfigFile,
      auditPolicyFile: file('policy.json', POLICY),
      auditWebhookConfigFile: hook.kubeconfigFile,
      auditWebhookMode: 'blocking',
    });
    const at = new URL(hook.url).host;
    const kinds = () => [...new Set(hook.calls.map(({ body }) => body['kind']))].sort();
    const asAlice = { headers: { 'impersonate-user': 'alice' } };
    expect((await running.fetch('/api/v1/namespaces', asAlice)).status).toBe(403);
    const review = { method: 'POST', body: { spec: { token: 'unknown' } } };
    expect((await running.fetch('/apis/authentication.k8s.io/v1/tokenreviews', review)).status).toBe(201);
    const byUrl = { url: `${hook.url}/hook`, caBundle: hook.caBundle };
    await configure(running, 'Validating', 'by-url', webhook(0, { clientConfig: byUrl }));
    const map = { method: 'POST', body: { metadata: { name: 'a' } } };
    expect((await running.fetch('/api/v1/namespaces/default/configmaps', map)).status).toBe(201);
    expect(kinds()).toEqual(['AdmissionReview', 'EventList', 'SubjectAccessReview', 'TokenReview']);
    expect(new Set(controlplane.targets)).toEqual(new Set([at]));
    expect(toCluster.targets).toEqual([]);
    // Every connection to the webhook came through the proxy.
    expect(hook.connections).toBe(controlplane.targets.length);
    const metrics = await (await running.fetch('/metrics')).text();
    expect(metrics).toMatch(
      /apiserver_egress_dialer_dial_start_total\{protocol="http_connect",transport="tcp"\} [1-9]/,
    );
    expect(metrics).toMatch(/apiserver_egress_dialer_dial_duration_seconds_count\{[^}]*\} [1-9]/);
  });

  it('of the cluster carry calls of Services, by the address that the Service has', async () => {
    const running = await start();
    const service = {
      metadata: { name: 'hook' },
      spec: { clusterIP: '10.0.0.77', ports: [{ port: 443 }] },
    };
    const services = '/api/v1/namespaces/default/services';
    expect((await running.fetch(services, { method: 'POST', body: service })).status).toBe(201);
    const named = await new WebhookServer(answerOf).start(serverCertificate({ hosts: ['hook.default.svc'] }));
    try {
      toCluster.routes.set('10.0.0.77:443', Number(new URL(named.url).port));
      const clientConfig = {
        service: { namespace: 'default', name: 'hook', path: '/hook' },
        caBundle: webhook(0).clientConfig.caBundle,
      };
      await configure(running, 'Validating', 'by-service', webhook(0, { clientConfig }));
      const map = { method: 'POST', body: { metadata: { name: 'b' } } };
      expect((await running.fetch('/api/v1/namespaces/default/configmaps', map)).status).toBe(201);
      expect(named.calls).toHaveLength(1);
      expect([toCluster.targets, controlplane.targets]).toEqual([['10.0.0.77:443'], []]);
    } finally {
      await named.stop();
    }
  });

  it('that are down fail the calls, which never go past them', async () => {
    const running = await start();
    await controlplane.close();
    const clientConfig = { url: `${hook.url}/hook`, caBundle: hook.caBundle };
    await configure(running, 'Validating', 'by-url', webhook(0, { clientConfig }));
    const map = { method: 'POST', body: { metadata: { name: 'c' } } };
    const refused = await running.fetch('/api/v1/namespaces/default/configmaps', map);
    expect(refused.status).toBe(500);
    expect(await refused.text()).toContain('connection refused');
    expect(hook.connections).toBe(0);
    controlplane = await new ConnectProxyServer().listen();
  });

  it('need readable files', async () => {
    const tls = { clientCert: file('not-a-certificate', {}), clientKey: file('not-a-key', {}) };
    const transport = { tcp: { url: 'https://127.0.0.1:1', tlsConfig: tls } };
    const connection = { proxyProtocol: 'HTTPConnect', transport };
    const document = {
      apiVersion: 'apiserver.k8s.io/v1beta1',
      kind: 'EgressSelectorConfiguration',
      egressSelections: [{ name: 'etcd', connection }],
    };
    await expect(startCluster({ egressSelectorConfigFile: file('egress.json', document) })).rejects.toThrow(
      'failed to create dialer for egressSelection "etcd"',
    );
  });
});
