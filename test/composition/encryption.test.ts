import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openEmbeddedStorage } from '../../src/storage/embedded/index.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

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
});
