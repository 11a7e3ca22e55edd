import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAuthority, issueCertificate } from '../../src/pki/issue-certificate.ts';
import { COMMAND } from './support/command.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** The assets of `binnacle envtest`, started as envtest of controller-runtime starts them. */
describe('binnacle envtest', () => {
  let directory: string;
  const children: ChildProcess[] = [];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'binnacle-envtest-'));
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });
  const start = (name: string, flags: readonly string[], environment: NodeJS.ProcessEnv) => {
    const cwd = join(directory, 'package');
    mkdirSync(cwd, { recursive: true });
    const env = { ...process.env, ...environment };
    const child = spawn(join(directory, 'bin', name), flags, { cwd, env, stdio: 'ignore' });
    children.push(child);
    return child;
  };

  /** Starts a test environment. @param words of `binnacle envtest`, after the directory */
  const startEnvironment = async (words: readonly string[] = [], environment: NodeJS.ProcessEnv = {}) => {
    const [command, ...first] = COMMAND;
    const written = spawnSync(command, [...first, 'envtest', join(directory, 'bin'), ...words], {
      encoding: 'utf8',
    });
    expect(written.stdout).toBe(`export KUBEBUILDER_ASSETS=${join(directory, 'bin')}\n`);
    const [etcdPort, port] = [await freePort(), await freePort()];
    const etcdUrl = `http://127.0.0.1:${etcdPort}`;
    const etcdFlags = [
      `--data-dir=${directory}/etcd`,
      `--listen-client-urls=${etcdUrl}`,
      '--listen-peer-urls=http://127.0.0.1:0',
    ];
    const etcd = start('etcd', etcdFlags, {});
    await vi.waitFor(async () => expect((await fetch(`${etcdUrl}/health`)).status).toBe(200), 20_000);

    const validity = { validFrom: new Date(Date.now() - 60_000), validTo: new Date(Date.now() + 3_600_000) };
    const authority = createAuthority({ commonName: 'clients' }, validity.validFrom, validity.validTo);
    const subject = { commonName: 'admin', organizations: ['system:masters'] };
    const client = issueCertificate(authority, { subject, usage: 'client', ...validity });
    const serviceAccounts = issueCertificate(authority, { subject, usage: 'client', ...validity });
    const file = (name: string, text: string) => {
      writeFileSync(join(directory, name), text);
      return join(directory, name);
    };
    const keyFile = file('sa.key', serviceAccounts.key);
    const flags = [
      '--advertise-address=127.0.0.1',
      '--allow-privileged=true',
      '--authorization-mode=RBAC',
      '--bind-address=127.0.0.1',
      `--cert-dir=${directory}/certs`,
      `--client-ca-file=${file('ca.crt', authority.certificate)}`,
      '--disable-admission-plugins=ServiceAccount',
      `--etcd-servers=${etcdUrl}`,
      `--secure-port=${port}`,
      `--service-account-issuer=https://127.0.0.1:${port}/`,
      `--service-account-key-file=${keyFile}`,
      `--service-account-signing-key-file=${keyFile}`,
      '--service-cluster-ip-range=10.0.0.0/24',
    ];
    const server = start('kube-apiserver', flags, environment);
    const call = (method: string, path: string, body?: object) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const options = { host: '127.0.0.1', port, path, cert: client.certificate, key: client.key };
        const headers = { 'content-type': 'application/json' };
        request({ ...options, method, headers, rejectUnauthorized: false }, async (response) => {
          let text = '';
          for await (const chunk of response) text += chunk;
          resolve({ status: response.statusCode!, text });
        })
          .on('error', reject)
          .end(body && JSON.stringify(body));
      });
    await vi.waitFor(async () => expect((await call('GET', '/readyz')).status).toBe(200), 20_000);
    const stop = async () => {
      for (const child of [server, etcd]) {
        child.kill('SIGTERM');
        if (child.exitCode === null) await once(child, 'exit');
        expect(child.exitCode).toBe(0);
      }
    };
    /** Lines of the metrics of the controllers that run by default. */
    const controllers = async () =>
      (await call('GET', '/metrics')).text
        .split('\n')
        .filter((line) => /^workqueue_adds_total.*name="(namespace|garbage)/.test(line));
    return { call, stop, controllers };
  };

  it('serves with the flags of envtest, without etcd, and empties namespaces', async () => {
    const { call, stop, controllers } = await startEnvironment();
    expect(JSON.parse((await call('GET', '/api/v1/serviceaccounts')).text).items).toEqual([]);
    await call('POST', '/api/v1/namespaces', { metadata: { name: 'a' } });
    const owner = { apiVersion: 'v1', kind: 'Secret', name: 'made-up', uid: 'made-up' };
    const metadata = { name: 'dependent', ownerReferences: [owner] };
    for (const namespace of ['a', 'default'])
      await call('POST', `/api/v1/namespaces/${namespace}/configmaps`, { metadata });
    await call('DELETE', '/api/v1/namespaces/a');
    await vi.waitFor(
      async () => expect((await call('GET', '/api/v1/namespaces/a')).status).toBe(404),
      20_000,
    );
    expect((await call('GET', '/api/v1/namespaces/default/configmaps/dependent')).status).toBe(200);
    expect(await controllers()).toHaveLength(2);
    await stop();
    expect(readdirSync(join(directory, 'package'))).toEqual([]);
  });

  it.each([
    [['--bare'], {}],
    [[], { BINNACLE_CONTROLLERS: '-*' }],
  ])('runs no controllers with %j in %j', async (words, environment) => {
    const { call, stop, controllers } = await startEnvironment(words, environment);
    await call('POST', '/api/v1/namespaces', { metadata: { name: 'a' } });
    expect(JSON.parse((await call('DELETE', '/api/v1/namespaces/a')).text).status.phase).toBe('Terminating');
    expect(await controllers()).toEqual([]);
    await stop();
  });
});
