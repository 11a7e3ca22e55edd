import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openEmbeddedStorage } from '../../src/storage/embedded/index.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { KeyServicePlugin } from '../support/key-service.ts';

const SECRETS = '/api/v1/namespaces/default/secrets';
const provider = (type: string, name: string) => ({
  [type]: { keys: [{ name, secret: Buffer.alloc(32, name.at(-1)).toString('base64') }] },
});
const IDENTITY = { identity: {} };

let directory: string;
let file: string;
let cluster: TestCluster | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-encryption-'));
  file = join(directory, 'encryption.json');
});
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const configure = (...rules: readonly [resources: readonly string[], ...providers: readonly object[]][]) =>
  writeFile(
    file,
    JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'EncryptionConfiguration',
      resources: rules.map(([resources, ...providers]) => ({ resources, providers })),
    }),
  );

const start = async (flags: object): Promise<void> => {
  cluster = await startCluster({
    controllers: ['-*'],
    storageBackend: 'embedded',
    dataDir: join(directory, 'data'),
    ...flags,
  });
};

async function call(path: string, method = 'GET', body?: unknown) {
  const response = await cluster!.fetch(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await response.text();
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
}

/** The stored form of a value: up to the name of its key. */
async function storedForm(key: string): Promise<string> {
  const storage = await openEmbeddedStorage({ directory: join(directory, 'data/store') });
  const { entry } = await storage.get(key);
  await storage.close();
  const head = Buffer.from(entry!.value.subarray(0, 40)).toString('latin1');
  return /^k8s:enc:[a-z]+:v1:[^:]*/.exec(head)?.[0] ?? head.slice(0, 3);
}

describe('a server with --encryption-provider-config', () => {
  it('encrypts what it stores, and a write without change rewrites what is stale', async () => {
    await configure([['secrets', 'clusterroles.rbac.authorization.k8s.io'], provider('aescbc', 'key-a')]);
    await start({ encryptionProviderConfig: file });
    const created = await call(SECRETS, 'POST', { metadata: { name: 'one' }, stringData: { a: 'b' } });
    expect(created.status).toBe(201);
    expect((await call(`${SECRETS}/one`)).body.data).toEqual({ a: 'Yg==' });
    await cluster!.stop();
    expect(await storedForm('/registry/secrets/default/one')).toBe('k8s:enc:aescbc:v1:key-a');
    expect(await storedForm('/registry/clusterroles/admin')).toBe('k8s:enc:aescbc:v1:key-a');
    expect(await storedForm('/registry/namespaces/default')).toBe('k8s');

    await configure([
      ['secrets', 'clusterroles.rbac.authorization.k8s.io'],
      provider('secretbox', 'key-z'),
      provider('aescbc', 'key-a'),
    ]);
    await start({ encryptionProviderConfig: file });
    const before = (await call(`${SECRETS}/one`)).body;
    const first = await call(`${SECRETS}/one`, 'PUT', before);
    expect(first.body.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
    const second = await call(`${SECRETS}/one`, 'PUT', first.body);
    expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
    await cluster!.stop();
    expect(await storedForm('/registry/secrets/default/one')).toBe('k8s:enc:secretbox:v1:key-z');
    expect(await storedForm('/registry/clusterroles/admin')).toBe('k8s:enc:aescbc:v1:key-a');
  });

  it('is not ready and replaces nothing while a bootstrap object cannot be decrypted', async () => {
    await start({});
    const ready = await call('/readyz?verbose');
    expect(ready.status).toBe(500);
    expect(ready.text).toContain('[-]bootstrap-objects failed');
    expect((await call('/livez')).status).toBe(200);
    expect(cluster!.log.join('\n')).toContain(
      'bootstrap objects cannot be read and are not replaced: \\"/registry/clusterroles/',
    );
    const { status, body } = await call(`${SECRETS}/one`);
    expect(status).toBe(500);
    expect(body).toMatchObject({
      message: 'Internal error occurred: identity transformer tried to read encrypted data',
      details: { causes: [{ message: 'identity transformer tried to read encrypted data' }] },
    });
    expect((await call(`${SECRETS}/one`, 'DELETE')).status).toBe(500);
    await cluster!.stop();
    expect(await storedForm('/registry/clusterroles/admin')).toBe('k8s:enc:aescbc:v1:key-a');
  });

  it('reloads the file: with the key, unreadable objects are read again', async () => {
    await configure([['secrets'], provider('aesgcm', 'key-b'), IDENTITY]);
    await start({ encryptionProviderConfig: file, encryptionProviderConfigAutomaticReload: true });
    expect((await call(`${SECRETS}/one`)).body.message).toBe(
      'Internal error occurred: no matching prefix found',
    );
    await writeFile(file, '{"kind":"EncryptionConfiguration"');
    const failed = /reloads_total\{[^}]*status="failure"[^}]*\} [1-9]/;
    await expect.poll(async () => failed.test((await call('/metrics')).text)).toBe(true);
    await configure([['secrets'], provider('aesgcm', 'key-b'), provider('secretbox', 'key-z')]);
    await expect.poll(async () => (await call(`${SECRETS}/one`)).status).toBe(200);
    expect((await call('/metrics')).text).toContain(
      'apiserver_storage_transformation_operations_total{resource="secrets",status="OK",transformation_type="from_storage",transformer_prefix="k8s:enc:secretbox:v1:"}',
    );
    expect((await call('/healthz/kms-providers')).status).toBe(200);
  });

  it('waits at start for its key service, and rewrites values when its key changes', async () => {
    const socket = join(directory, 'kms.sock');
    const plugin = new KeyServicePlugin();
    await plugin.listen(socket);
    const kms = { kms: { apiVersion: 'v2', name: 'plugin', endpoint: `unix://${socket}`, timeout: '1s' } };
    await configure([['secrets', '*.rbac.authorization.k8s.io'], kms]);
    const flags = { encryptionProviderConfig: file, dataDir: join(directory, 'kms') };
    await start(flags);
    await expect.poll(async () => (await call('/readyz')).status).toBe(200);
    expect((await call('/healthz/kms-providers')).status).toBe(200);
    const path = `${SECRETS}/one`;
    await call(SECRETS, 'POST', { metadata: { name: 'one' }, stringData: { a: 'b' } });
    await call(SECRETS, 'POST', { metadata: { name: 'two' }, stringData: { a: 'c' } });
    expect((await call(path)).body.data).toEqual({ a: 'Yg==' });
    expect((await call(SECRETS)).body.items).toHaveLength(2);
    await cluster!.stop();
    await plugin.close();

    let isRunning = false;
    const starting = start(flags).then(() => {
      isRunning = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(isRunning).toBe(false);
    plugin.keyId = 'key-2';
    await plugin.listen(socket);
    await starting;
    const before = (await call(path)).body;
    expect(before.data).toEqual({ a: 'Yg==' });
    const written = (await call(path, 'PUT', before)).body;
    expect(written.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
    const again = (await call(path, 'PUT', written)).body;
    expect(again.metadata.resourceVersion).toBe(written.metadata.resourceVersion);
    expect((await call('/metrics')).text).toMatch(
      /kms_operations_latency_seconds_count\{grpc_status_code="OK",method_name="\/v2.KeyManagementService\/Decrypt",provider_name="plugin"\} 1\n/,
    );
    plugin.healthz = 'sick';
    await expect.poll(async () => (await call('/readyz')).status).toBe(500);
    await cluster!.stop();
    cluster = undefined;
    await plugin.close();
  });

  it('changes to a key service and back by a reload, and watches go on', async () => {
    const socket = join(directory, 'reload.sock');
    const plugin = new KeyServicePlugin();
    await plugin.listen(socket);
    const kms = { kms: { apiVersion: 'v2', name: 'plugin', endpoint: `unix://${socket}` } };
    await configure([['secrets'], provider('aesgcm', 'key-a')]);
    await start({
      encryptionProviderConfig: file,
      encryptionProviderConfigAutomaticReload: true,
      dataDir: join(directory, 'reload'),
    });
    await call(SECRETS, 'POST', { metadata: { name: 'one' }, stringData: { a: 'b' } });
    const reloads = async (count: number) => {
      const pattern = new RegExp(`reloads_total\\{[^}]*status="success"[^}]*\\} ${count}\n`);
      await expect.poll(async () => pattern.test((await call('/metrics')).text)).toBe(true);
    };
    await configure([['secrets'], kms, provider('aesgcm', 'key-a')]);
    await reloads(1);
    const before = (await call(`${SECRETS}/one`)).body;
    const written = (await call(`${SECRETS}/one`, 'PUT', before)).body;
    expect(written.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
    expect((await call(SECRETS)).body.items).toHaveLength(1);
    await call(SECRETS, 'POST', { metadata: { name: 'two' } });
    expect((await call(SECRETS)).body.items).toHaveLength(2);
    await configure([['secrets'], provider('aesgcm', 'key-a'), kms]);
    await reloads(2);
    expect((await call(`${SECRETS}/one`)).body).toEqual(written);
    await cluster!.stop();
    cluster = undefined;
    await plugin.close();
  });
});
