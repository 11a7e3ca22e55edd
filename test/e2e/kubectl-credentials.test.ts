import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthority, issueCertificate, type KeyedCertificate } from '../../src/pki/issue-certificate.ts';
import { TokenIssuer } from '../support/token-issuer.ts';
import { BuiltServer } from './support/built-server.ts';
import { hasKubectl, Kubectl } from './support/kubectl.ts';

const validity = { validFrom: new Date(Date.now() - 60_000), validTo: new Date(Date.now() + 3_600_000) };
const authority = (commonName: string): KeyedCertificate =>
  createAuthority({ commonName }, validity.validFrom, validity.validTo);
const BOOTSTRAP = { id: 'abcdef', secret: '0123456789abcdef' };

/** A token webhook that accepts the token `hooked`. */
function tokenHook(): { server: Server; caBundle: string } {
  const own = authority('hook-authority');
  const serving = issueCertificate(own, {
    subject: { commonName: 'hook' },
    usage: 'server',
    addresses: ['127.0.0.1'],
    ...validity,
  });
  const server = createServer({ cert: serving.certificate, key: serving.key }, (request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const { apiVersion, kind, spec } = JSON.parse(text) as {
        apiVersion: string;
        kind: string;
        spec: { token: string };
      };
      const authenticated = spec.token === 'hooked';
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          apiVersion,
          kind,
          status: {
            authenticated,
            ...(authenticated ? { user: { username: 'hannah', groups: ['hooks'] } } : {}),
          },
        }),
      );
    });
  });
  return { server, caBundle: own.certificate };
}

describe.skipIf(!hasKubectl)('kubectl with credentials of each kind', () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-credentials-'));
  const issuer = new TokenIssuer();
  const hook = tokenHook();
  const clients = authority('clients');
  const proxies = authority('proxies');
  let server: BuiltServer;
  let kubectl: Kubectl;
  const write = (name: string, content: string): string => {
    const file = join(directory, name);
    writeFileSync(file, content, { mode: 0o600 });
    return file;
  };

  beforeAll(async () => {
    await issuer.start();
    await new Promise<void>((resolve) => hook.server.listen(0, '127.0.0.1', resolve));
    const hookConfig = {
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'hook', user: 'me' } }],
      clusters: [
        {
          name: 'hook',
          cluster: {
            server: `https://127.0.0.1:${(hook.server.address() as AddressInfo).port}/review`,
            'certificate-authority-data': Buffer.from(hook.caBundle).toString('base64'),
          },
        },
      ],
      users: [{ name: 'me', user: {} }],
    };
    server = new BuiltServer([
      `--token-auth-file=${write('tokens.csv', 'static-token,tom,tom-uid,"one,two"\n')}`,
      `--client-ca-file=${write('clients.pem', clients.certificate)}`,
      `--requestheader-client-ca-file=${write('proxies.pem', proxies.certificate)}`,
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      '--enable-bootstrap-token-auth',
      `--oidc-issuer-url=${issuer.url()}`,
      '--oidc-client-id=test',
      `--oidc-ca-file=${write('issuer.pem', issuer.caBundle)}`,
      '--oidc-username-prefix=oidc:',
      `--authentication-token-webhook-config-file=${write('hook.json', JSON.stringify(hookConfig))}`,
      '--authentication-token-webhook-version=v1',
    ]);
    await server.start();
    kubectl = new Kubectl(server);
  });
  afterAll(async () => {
    await server?.remove();
    await issuer.stop();
    hook.server.closeAllConnections();
    await new Promise((resolve) => hook.server.close(resolve));
    rmSync(directory, { recursive: true, force: true });
  });

  /** Runs kubectl with a kubeconfig that contains only these credentials. */
  const as = (user: object) => {
    const cluster = {
      server: server.url,
      'certificate-authority-data': Buffer.from(server.credential('certificate-authority-data')).toString(
        'base64',
      ),
    };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user }],
    };
    return { environment: { KUBECONFIG: write('kubeconfig', JSON.stringify(config)) } };
  };
  const whoIs = async (user: object): Promise<string> => {
    const { stdout, stderr } = await kubectl.try(
      ['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username} {.status.userInfo.groups}'],
      as(user),
    );
    return `${stdout}${stderr}`;
  };
  const byCertificate = (by: KeyedCertificate, commonName: string, organizations: string[] = []) => {
    const { certificate, key } = issueCertificate(by, {
      subject: { commonName, organizations },
      usage: 'client',
      ...validity,
    });
    return {
      certificate,
      key,
      'client-certificate-data': Buffer.from(certificate).toString('base64'),
      'client-key-data': Buffer.from(key).toString('base64'),
    };
  };

  it('accepts a certificate', async () => {
    const { 'client-certificate-data': certificate, 'client-key-data': key } = byCertificate(
      clients,
      'carol',
      ['dev'],
    );
    expect(await whoIs({ 'client-certificate-data': certificate, 'client-key-data': key })).toBe(
      'carol ["dev","system:authenticated"]',
    );
  });

  it('accepts a static token', async () => {
    expect(await whoIs({ token: 'static-token' })).toBe('tom ["one","two","system:authenticated"]');
    expect(await whoIs({ token: 'static-tokem' })).toContain(
      'You must be logged in to the server (Unauthorized)',
    );
  });

  it('accepts a token of an issuer', async () => {
    await expect.poll(() => whoIs({ token: issuer.token() })).toBe('oidc:ann ["system:authenticated"]');
    expect(await whoIs({ token: issuer.token({ exp: 1 }) })).toContain('Unauthorized');
  });

  it('accepts a token that a webhook reviews', async () => {
    expect(await whoIs({ token: 'hooked' })).toBe('hannah ["hooks","system:authenticated"]');
  });

  it('accepts a bootstrap token', async () => {
    const { id, secret } = BOOTSTRAP;
    await kubectl.run(
      `create secret generic bootstrap-token-${id} -n kube-system --type=bootstrap.kubernetes.io/token --from-literal=token-id=${id} --from-literal=token-secret=${secret} --from-literal=usage-bootstrap-authentication=true`,
    );
    expect(await whoIs({ token: `${id}.${secret}` })).toBe(
      `system:bootstrap:${id} ["system:bootstrappers","system:authenticated"]`,
    );
    expect(await whoIs({ token: `${id}.${secret.replace('f', 'e')}` })).toContain('Unauthorized');
  });

  it('accepts a service account token until the account is deleted', async () => {
    await kubectl.run('create serviceaccount robot');
    const token = (await kubectl.run('create token robot')).trim();
    expect(await whoIs({ token })).toBe(
      'system:serviceaccount:default:robot ["system:serviceaccounts","system:serviceaccounts:default","system:authenticated"]',
    );
    await kubectl.run('delete serviceaccount robot');
    await expect.poll(() => whoIs({ token })).toContain('Unauthorized');
  });

  it('accepts impersonation if it is permitted', async () => {
    expect(
      await kubectl.run('auth whoami --as=ivy --as-group=a -o jsonpath={.status.userInfo.username}'),
    ).toBe('ivy');
    const { stderr } = await kubectl.try(['get', 'pods', '--as=ivy'], as({ token: 'static-token' }));
    expect(stderr).toContain('User "tom" cannot impersonate resource "users"');
  });

  it('accepts proxy headers with the proxy certificate only', async () => {
    const whoSays = async (with_: object) => {
      const review = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
      const headers = {
        'content-type': 'application/json',
        'x-remote-user': 'ruth',
        'x-remote-group': 'system:masters',
      };
      const { status, text } = await server.request('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
        method: 'POST',
        headers,
        body: review,
        ...with_,
      });
      return status === 201
        ? (JSON.parse(text) as { status: { userInfo: { username: string } } }).status.userInfo.username
        : status;
    };
    const { certificate: cert, key } = byCertificate(proxies, 'front-proxy');
    expect(await whoSays({ client: { cert, key } })).toBe('ruth');
    const { certificate, key: own } = byCertificate(clients, 'carol');
    expect(await whoSays({ client: { cert: certificate, key: own } })).toBe('carol');
    expect(await whoSays({ client: {} })).toBe(403);
  });

  it('logs no secret', () => {
    for (const secret of ['static-token', 'hooked', BOOTSTRAP.secret])
      expect(server.output).not.toContain(secret);
  });
});
