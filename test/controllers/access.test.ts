import { createHmac, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/model/object.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { certificateRequest } from '../support/certificate-request.ts';
import { watchUntil } from '../support/watch-until.ts';

type Found = KubernetesObject & {
  readonly status?: {
    readonly certificate?: string;
    readonly conditions?: { readonly type: string; readonly reason: string; readonly message: string }[];
  };
  readonly rules?: readonly object[];
};

describe('access controllers', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster({
      controllers: ['*', 'token-cleaner-controller', 'bootstrap-signer-controller'],
    });
  });
  afterAll(() => cluster.stop());

  const call = async (
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Found> => {
    const response = await cluster.fetch(path, { method, headers, ...(body === undefined ? {} : { body }) });
    const answer = (await response.json()) as Found & { message?: string };
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
    return answer;
  };

  /** Watches a collection, including existing objects, until an event satisfies `condition`. */
  const seen = (
    collection: string,
    name: string,
    condition: (object: Found, type: string) => boolean,
  ): Promise<Found> =>
    watchUntil(cluster, `${collection}?fieldSelector=metadata.name%3D${encodeURIComponent(name)}`, condition);

  const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  it('aggregates the rules of selected roles', async () => {
    await seen(ROLES, 'view', ({ rules }) => (rules ?? []).length > 5);
    await seen(ROLES, 'admin', ({ rules }) => JSON.stringify(rules).includes('rolebindings'));
    const role = (name: string, rules: object[]) => ({
      metadata: { name, labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
      rules,
    });
    const extra = { apiGroups: ['example.com'], resources: ['widgets'], verbs: ['get'] };
    await call('POST', ROLES, role('widget-viewer', [extra]));
    const { rules } = await seen(ROLES, 'view', ({ rules: now }) => JSON.stringify(now).includes('widgets'));
    expect(rules!.filter((one) => JSON.stringify(one).includes('widgets'))).toEqual([
      { verbs: ['get'], apiGroups: ['example.com'], resources: ['widgets'] },
    ]);
    await seen(ROLES, 'edit', ({ rules: now }) => JSON.stringify(now).includes('widgets'));
    await call('DELETE', `${ROLES}/widget-viewer`);
    await seen(ROLES, 'view', ({ rules: now }) => !JSON.stringify(now).includes('widgets'));
  });

  const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
  const sendRequest = (
    name: string,
    request: string,
    signerName: string,
    usages: string[],
    headers = {},
    more = {},
  ) =>
    call(
      'POST',
      REQUESTS,
      {
        metadata: { name },
        spec: { request: Buffer.from(request).toString('base64'), signerName, usages, ...more },
      },
      headers,
    );
  const approve = async (name: string) => {
    const object = await call('GET', `${REQUESTS}/${name}`);
    await call('PUT', `${REQUESTS}/${name}/approval`, {
      ...object,
      status: { conditions: [{ type: 'Approved', status: 'True', reason: 'Test', message: 'm' }] },
    });
  };
  const hasAnswer = ({ status }: Found): boolean =>
    status?.certificate !== undefined || (status?.conditions?.some(({ type }) => type === 'Failed') ?? false);
  const CLIENT = 'kubernetes.io/kube-apiserver-client';
  const KUBELET = 'kubernetes.io/kube-apiserver-client-kubelet';

  it('signs an approved request for the requested duration', async () => {
    const { request } = certificateRequest({ commonName: 'clara', organizations: ['crew'] });
    await sendRequest('clara', request, CLIENT, ['client auth'], {}, { expirationSeconds: 3600 });
    await approve('clara');
    const { status } = await seen(REQUESTS, 'clara', hasAnswer);
    const certificate = new X509Certificate(Buffer.from(status!.certificate!, 'base64'));
    expect(certificate.subject).toBe('O=crew\nCN=clara');
    expect(Date.parse(certificate.validTo) - Date.now()).toBeLessThan(3_700_000);
  });

  it.each<[string, Parameters<typeof certificateRequest>[0], string, string[], string]>([
    ['usage', { commonName: 'x' }, CLIENT, ['server auth'], 'usages must be client auth'],
    [
      'organization',
      { commonName: 'system:node:n', organizations: ['o'] },
      'kubernetes.io/kubelet-serving',
      ['digital signature', 'server auth'],
      'organization is not system:nodes',
    ],
    [
      'name',
      { commonName: 'n', organizations: ['system:nodes'], hosts: ['h'] },
      'kubernetes.io/kubelet-serving',
      ['digital signature', 'server auth'],
      'does not begin with system:node:',
    ],
    [
      'address',
      { commonName: 'system:node:n', organizations: ['system:nodes'] },
      'kubernetes.io/kubelet-serving',
      ['digital signature', 'server auth'],
      'DNS or IP subjectAltName is required',
    ],
  ])('sets Failed on a request with a wrong %s', async (title, parts, signerName, usages, message) => {
    const name = `wrong-${title}`;
    await sendRequest(name, certificateRequest(parts).request, signerName, usages);
    await approve(name);
    const { status } = await seen(REQUESTS, name, hasAnswer);
    expect(status!.conditions!.find(({ type }) => type === 'Failed')).toMatchObject({
      reason: 'SignerValidationFailure',
      message: expect.stringContaining(message),
    });
  });

  it("approves a kubelet's request only for authorized users", async () => {
    const kubelet = certificateRequest({
      commonName: 'system:node:n1',
      organizations: ['system:nodes'],
    }).request;
    const usages = ['digital signature', 'client auth'];
    const bootstrap = {
      'impersonate-user': 'system:bootstrap:abcdef',
      'impersonate-group': 'system:bootstrappers',
    };
    for (const role of [
      'system:node-bootstrapper',
      'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
    ])
      await call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        metadata: { name: role.replaceAll(':', '.') },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
        subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:bootstrappers' }],
      });
    await sendRequest('kubelet', kubelet, KUBELET, usages, bootstrap);
    const { status } = await seen(REQUESTS, 'kubelet', hasAnswer);
    expect(status!.conditions).toMatchObject([
      {
        type: 'Approved',
        reason: 'AutoApproved',
        message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
      },
    ]);
    expect(new X509Certificate(Buffer.from(status!.certificate!, 'base64')).subject).toBe(
      'O=system:nodes\nCN=system:node:n1',
    );

    await call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'asks' },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'system:node-bootstrapper',
      },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'mallory' }],
    });
    await sendRequest('mallory', kubelet, KUBELET, usages, { 'impersonate-user': 'mallory' });
    await sendRequest('after', kubelet, KUBELET, usages, bootstrap);
    await seen(REQUESTS, 'after', hasAnswer);
    expect((await call('GET', `${REQUESTS}/mallory`)).status).toEqual({});
  });

  it('populates a token secret and deletes it with its account', async () => {
    const namespace = await cluster.createNamespace();
    const base = `/api/v1/namespaces/${namespace}`;
    await call('POST', `${base}/serviceaccounts`, { metadata: { name: 'robot' } });
    await call('POST', `${base}/secrets`, {
      metadata: { name: 'robot-token', annotations: { 'kubernetes.io/service-account.name': 'robot' } },
      type: 'kubernetes.io/service-account-token',
    });
    const { data } = (await seen(
      `${base}/secrets`,
      'robot-token',
      (secret) => (secret['data'] as object | undefined) !== undefined,
    )) as unknown as {
      data: Record<string, string>;
    };
    const decoded = (key: string) => Buffer.from(data[key]!, 'base64').toString();
    expect(decoded('ca.crt')).toBe(cluster.caBundle);
    expect(decoded('namespace')).toBe(namespace);
    const review = await call('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
      spec: { token: decoded('token') },
    });
    expect(review.status).toMatchObject({
      authenticated: true,
      user: { username: `system:serviceaccount:${namespace}:robot` },
    });
    await call('DELETE', `${base}/serviceaccounts/robot`);
    await seen(`${base}/secrets`, 'robot-token', (_secret, type) => type === 'DELETED').catch(
      async (error: Error) => {
        // It may have been deleted before the watch started.
        const { status } = await cluster.fetch(`${base}/secrets/robot-token`);
        if (status !== 404) throw error;
      },
    );
  });

  it('signs cluster-info with bootstrap tokens and deletes expired ones', async () => {
    const secrets = '/api/v1/namespaces/kube-system/secrets';
    const token = (id: string, expiration: string) => ({
      metadata: { name: `bootstrap-token-${id}` },
      type: 'bootstrap.kubernetes.io/token',
      stringData: {
        'token-id': id,
        'token-secret': '0123456789abcdef',
        'usage-bootstrap-signing': 'true',
        expiration,
      },
    });
    const maps = '/api/v1/namespaces/kube-public/configmaps';
    await call('POST', secrets, token('aaaaaa', new Date(Date.now() + 3_600_000).toISOString()));
    await call('POST', maps, {
      metadata: { name: 'cluster-info' },
      data: { kubeconfig: 'kind: Config\n', 'jws-kubeconfig-bbbbbb': 'stale' },
    });
    const { data } = (await seen(maps, 'cluster-info', (map) =>
      Object.hasOwn(map['data'] as object, 'jws-kubeconfig-aaaaaa'),
    )) as unknown as {
      data: Record<string, string>;
    };
    const [header, content, signature] = data['jws-kubeconfig-aaaaaa']!.split('.');
    expect(content).toBe('');
    expect(JSON.parse(Buffer.from(header!, 'base64url').toString())).toEqual({ alg: 'HS256', kid: 'aaaaaa' });
    expect(signature).toBe(
      createHmac('sha256', '0123456789abcdef')
        .update(`${header}.${Buffer.from('kind: Config\n').toString('base64url')}`)
        .digest('base64url'),
    );
    expect(data).not.toHaveProperty('jws-kubeconfig-bbbbbb');
    const gone = seen(secrets, 'bootstrap-token-cccccc', (_secret, type) => type === 'DELETED');
    await call('POST', secrets, token('cccccc', new Date(Date.now() + 1500).toISOString()));
    await gone;
  });
});
