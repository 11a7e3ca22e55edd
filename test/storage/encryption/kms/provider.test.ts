import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectKeyService, KeyProvider } from '../../../../src/storage/encryption/index.ts';

import { seededCipher } from '../../../../src/storage/encryption/kms/seeded-cipher.ts';
import { KeyServicePlugin } from '../../../support/key-service.ts';
import { FakeClock } from '../../fake-clock.ts';
import { bytes, text } from '../../helpers.ts';
import reference from '../reference-values.json' with { type: 'json' };

const directory = await mkdtemp(join(tmpdir(), 'key-service-'));
afterAll(() => rm(directory, { recursive: true }));

let sockets = 0;
let plugin: KeyServicePlugin;
let socket: string;
let clock: FakeClock;
const providers: KeyProvider[] = [];
const seen: string[] = [];

function connect(): KeyProvider {
  const provider = new KeyProvider({
    name: 'kms',
    service: connectKeyService({
      endpoint: `unix://${socket}`,
      timeout: 1000,
      observe: (method, _seconds, status) => seen.push(`${method.split('/').at(-1)} ${status}`),
    }),
    observer: {
      used: (type, keyId) => seen.push(`${type} ${keyId}`),
      cacheMissed: () => seen.push('missed'),
      cacheSize: () => undefined,
      statusKeyId: () => undefined,
      invalidStatusKeyId: (code) => seen.push(`invalid ${code}`),
      keyGenerated: () => undefined,
    },
    clock,
    onFailure: () => undefined,
    onHealthy: () => undefined,
  });
  providers.push(provider);
  return provider;
}

beforeEach(async () => {
  sockets += 1;
  socket = join(directory, String(sockets));
  plugin = new KeyServicePlugin();
  await plugin.listen(socket);
  clock = new FakeClock();
  seen.length = 0;
});
afterEach(async () => {
  for (const provider of providers.splice(0)) provider.close();
  await plugin.close();
});

async function reason(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return 'no error';
}

test('values with keys from a seed are those of kube-apiserver', async () => {
  const { secret, value } = reference.values.hkdf;
  const cipher = seededCipher(Buffer.from(secret, 'base64'));
  const decrypted = await cipher.decrypt(Buffer.from(value, 'base64'), reference.key);
  expect(Buffer.from(decrypted.value).toString('base64')).toBe(reference.plain);
});

describe('a key service', () => {
  test('encrypts one key, with which values are encrypted', async () => {
    const provider = connect();
    expect(provider.primed).toBe(false);
    await provider.start();
    const value = provider.envelope.encrypt(bytes('one'), '/a');
    const other = provider.envelope.encrypt(bytes('two'), '/b');
    expect(await provider.envelope.decrypt(value, '/a')).toMatchObject({ stale: false });
    expect(text((await provider.envelope.decrypt(other, '/b')).value)).toBe('two');
    expect(await reason(() => provider.envelope.decrypt(value, '/b'))).toContain('authentication failed');
    expect(plugin.calls).toEqual(['Status', 'Encrypt']);
  });

  test('decrypts the key of another server once, for any number of values', async () => {
    const [one, other] = [connect(), connect()];
    await one.start();
    await other.start();
    const values = ['1', '2', '3'].map((name) => one.envelope.encrypt(bytes(name), '/a'));
    seen.length = 0;
    const decrypted = await Promise.all(values.map((value) => other.envelope.decrypt(value, '/a')));
    expect(decrypted.map(({ value, stale }) => [text(value), stale])).toEqual([
      ['1', false],
      ['2', false],
      ['3', false],
    ]);
    expect(seen.filter((line) => line.startsWith('Decrypt'))).toEqual(['Decrypt OK']);
    expect(other.envelope.decrypt(values[0]!, '/a')).not.toBeInstanceOf(Promise);
  });

  test('with another key makes values stale, and new ones get a new key', async () => {
    const provider = connect();
    await provider.start();
    const before = provider.envelope.encrypt(bytes('one'), '/a');
    plugin.keyId = 'key-2';
    clock.advance(60_000);
    await expect.poll(() => plugin.calls.filter((call) => call === 'Encrypt').length).toBe(2);
    await expect.poll(async () => (await provider.envelope.decrypt(before, '/a')).stale).toBe(true);
    const after = provider.envelope.encrypt(bytes('one'), '/a');
    expect((await provider.envelope.decrypt(after, '/a')).stale).toBe(false);
  });

  test('that stops answering serves writes for three minutes, and reads of known keys', async () => {
    const provider = connect();
    await provider.start();
    const value = provider.envelope.encrypt(bytes('one'), '/a');
    plugin.failure = { status: 14, message: 'gone' };
    clock.advance(179_000);
    expect(provider.envelope.encrypt(bytes('two'), '/a').length).toBeGreaterThan(0);
    clock.advance(2_000);
    expect(await reason(() => provider.envelope.encrypt(bytes('two'), '/a'))).toMatch(
      /^EncryptionError: encryptedDEKSource with keyID hash "sha256:[0-9a-f]{64}" expired at /,
    );
    expect(text((await provider.envelope.decrypt(value, '/a')).value)).toBe('one');
    expect((await provider.check())?.message).toBe(
      'failed to perform status section of the healthz check for KMS Provider kms, error: rpc error: code = Unavailable desc = gone',
    );
  });

  test('distinguishes keys that cannot be obtained now from keys that are lost', async () => {
    const [one, other] = [connect(), connect()];
    await one.start();
    const value = one.envelope.encrypt(bytes('one'), '/a');
    expect(await reason(() => other.envelope.decrypt(value, '/a'))).toBe(
      'EncryptionError: got unexpected nil transformer',
    );
    plugin.keyId = 'key-2';
    await other.start();
    plugin.failure = { status: 4, message: 'slow' };
    expect(await reason(() => other.envelope.decrypt(value, '/a'))).toBe(
      'EncryptionError: failed to decrypt DEK, error: rpc error: code = DeadlineExceeded desc = slow',
    );
    plugin.failure = undefined;
    plugin.forget('key-1');
    expect(await reason(() => other.envelope.decrypt(value, '/a'))).toBe(
      'KeyServiceError: failed to decrypt DEK, error: rpc error: code = NotFound desc = no such key',
    );
  });

  test.each<[string, (changed: KeyServicePlugin) => void]>([
    [
      'kmsv2 Provider kms is not healthy, error: got unexpected healthz status: sick',
      (it) => {
        it.healthz = 'sick';
      },
    ],
    [
      'kmsv2 Provider kms is not healthy, error: expected KMSv2 API version v2, got v3',
      (it) => {
        it.version = 'v3';
      },
    ],
    [
      'kmsv2 Provider kms is not healthy, error: got invalid KMSv2 KeyID hash "": keyID is empty',
      (it) => {
        it.keyId = '';
      },
    ],
  ])('is not healthy: %s', async (message, change) => {
    change(plugin);
    expect((await connect().check())?.message).toBe(message);
  });

  test('is asked again after three seconds when it failed, after twenty when it did not', async () => {
    const provider = connect();
    plugin.failure = { status: 14, message: 'gone' };
    await provider.check();
    plugin.failure = undefined;
    expect(await provider.check()).toBeDefined();
    clock.advance(3_001);
    expect(await provider.check()).toBeUndefined();
    plugin.healthz = 'sick';
    clock.advance(19_000);
    expect(await provider.check()).toBeUndefined();
    clock.advance(1_001);
    expect(await provider.check()).toBeDefined();
  });

  test('that is absent is an error with the socket', async () => {
    await plugin.close();
    expect((await connect().check())?.message).toContain('code = Unavailable');
    await plugin.listen(socket);
  });

  test('cannot be reached with data that are no encrypted object', async () => {
    const provider = connect();
    await provider.start();
    expect(await reason(() => provider.envelope.decrypt(Buffer.from([0xff]), '/a'))).toMatch(/^DecodeError/);
    expect(await reason(() => provider.envelope.decrypt(new Uint8Array(0), '/a'))).toBe(
      'Error: encrypted data is empty',
    );
  });
});
