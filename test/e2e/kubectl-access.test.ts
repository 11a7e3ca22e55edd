import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificateRequest } from '../support/certificate-request.ts';
import { BuiltServer } from './support/built-server.ts';
import { hasKubectl, Kubectl } from './support/kubectl.ts';
import { hasOpenssl } from './support/signing-request.ts';

const manifest = (kind: string, name: string, more: object) =>
  JSON.stringify({ apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata: { name }, ...more });
const group = 'rbac.authorization.k8s.io';
const pods = (...verbs: string[]) => [{ apiGroups: [''], resources: ['pods'], verbs }];

describe.skipIf(!hasKubectl)('kubectl and access', () => {
  const server = new BuiltServer();
  let kubectl: Kubectl;
  beforeAll(async () => {
    await server.start();
    kubectl = new Kubectl(server);
    await kubectl.run('create -f -', {
      input: [
        manifest('ClusterRole', 'reader', { rules: pods('get', 'list') }),
        manifest('ClusterRoleBinding', 'reader', {
          roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'reader' },
          subjects: [{ apiGroup: group, kind: 'Group', name: 'crew' }],
        }),
      ].join('\n'),
    });
  });
  afterAll(() => server.remove());

  it('auth can-i checks the own user and others', async () => {
    expect(await kubectl.run('auth can-i delete nodes')).toContain('yes');
    const other = (words: string) => kubectl.try([...words.split(' '), '--as=clara', '--as-group=crew']);
    expect(await other('auth can-i list pods')).toMatchObject({ code: 0, stdout: 'yes\n' });
    expect(await other('auth can-i delete pods')).toMatchObject({ code: 1, stdout: 'no\n' });
    expect((await other('auth can-i --list')).stdout).toMatch(/pods +\[\] +\[\] +\[get list\]/);
    expect((await other('auth can-i get /healthz')).stdout).toBe('yes\n');
  });

  it('auth whoami prints the identity', async () => {
    expect(await kubectl.run('auth whoami')).toMatch(/Username +kubernetes-admin/);
    const { stdout } = await kubectl.try([
      'auth',
      'whoami',
      '--as=clara',
      '--as-group=crew',
      '-o',
      'jsonpath={.status.userInfo}',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ username: 'clara', groups: ['crew', 'system:authenticated'] });
  });

  it('auth reconcile adds rules and subjects, and recreates a binding with another role', async () => {
    const reconcile = (...documents: string[]) =>
      kubectl.run('auth reconcile -f -', { input: documents.join('\n') });
    expect(await reconcile(manifest('ClusterRole', 'reader', { rules: pods('watch') }))).toContain(
      'clusterrole.rbac.authorization.k8s.io/reader reconciled',
    );
    expect(JSON.parse(await kubectl.run('get clusterrole reader -o json')).rules).toHaveLength(2);
    await reconcile(
      manifest('ClusterRoleBinding', 'reader', {
        roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'view' },
        subjects: [{ apiGroup: group, kind: 'User', name: 'zoe' }],
      }),
    );
    const binding = JSON.parse(await kubectl.run('get clusterrolebinding reader -o json')) as {
      roleRef: { name: string };
    };
    expect(binding.roleRef.name).toBe('view');
    await kubectl.run('delete clusterrolebinding reader');
    await kubectl.run('create clusterrolebinding reader --clusterrole=reader --group=crew');
  });

  it('create token authenticates as the service account', async () => {
    await kubectl.run('create serviceaccount robot');
    await kubectl.run('create rolebinding robot --clusterrole=view --serviceaccount=default:robot');
    const token = (await kubectl.run('create token robot')).trim();
    const authority = join(server.directory, 'ca.crt');
    writeFileSync(authority, server.credential('certificate-authority-data'));
    const robot = [
      '--kubeconfig=/dev/null',
      `--server=${server.url}`,
      `--certificate-authority=${authority}`,
      `--token=${token}`,
    ];
    // The rules of the role view come from the aggregation controller.
    expect((await kubectl.try([...robot, 'auth', 'can-i', 'list', 'configmaps'])).stdout).toBe('yes\n');
    expect(await kubectl.try([...robot, 'get', 'pods'])).toMatchObject({ code: 0 });
    expect((await kubectl.try([...robot, 'get', 'secrets'])).stderr).toContain(
      'User "system:serviceaccount:default:robot" cannot list resource "secrets"',
    );
  });

  it('certificate approve issues a certificate that authenticates its user', async () => {
    const { request, key } = certificateRequest({ commonName: 'clara', organizations: ['crew'] });
    const spec = {
      request: Buffer.from(request).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth'],
      expirationSeconds: 3600,
    };
    await kubectl.run('create -f -', {
      input: JSON.stringify({
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name: 'clara' },
        spec,
      }),
    });
    await kubectl.run('certificate approve clara');
    await kubectl.run('wait csr/clara --for=jsonpath={.status.certificate} --timeout=60s');
    const file = (name: string, content: string) => {
      writeFileSync(join(server.directory, name), content);
      return join(server.directory, name);
    };
    const certificate = Buffer.from(
      await kubectl.run('get csr clara -o jsonpath={.status.certificate}'),
      'base64',
    ).toString();
    const clara = [
      '--kubeconfig=/dev/null',
      `--server=${server.url}`,
      `--certificate-authority=${file('ca.crt', server.credential('certificate-authority-data'))}`,
      `--client-certificate=${file('clara.crt', certificate)}`,
      `--client-key=${file('clara.key', key)}`,
    ];
    expect((await kubectl.try([...clara, 'auth', 'whoami'])).stdout).toMatch(
      /Username +clara\n[\s\S]*Groups +\[crew system:authenticated\]/,
    );
    expect(await kubectl.try([...clara, 'get', 'pods'])).toMatchObject({ code: 0 });
    expect((await kubectl.try([...clara, 'get', 'nodes'])).stderr).toContain(
      'User "clara" cannot list resource "nodes"',
    );
    if (hasOpenssl) {
      const text = execFileSync('openssl', [
        'x509',
        '-noout',
        '-text',
        '-in',
        join(server.directory, 'clara.crt'),
      ]).toString();
      expect(text).toContain('TLS Web Client Authentication');
      expect(text).toContain('CA:FALSE');
      const chain = [
        'verify',
        '-purpose',
        'sslclient',
        '-CAfile',
        join(server.directory, 'ca.crt'),
        join(server.directory, 'clara.crt'),
      ];
      expect(execFileSync('openssl', chain).toString()).toContain('OK');
    }
  });
});
