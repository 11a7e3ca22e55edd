import { describe, expect, test } from 'vitest';
import { aesCbc, aesGcm } from '../../../src/storage/encryption/aes.ts';
import {
  type PrefixTransformer,
  PrefixTransformers,
} from '../../../src/storage/encryption/prefix-transformers.ts';
import { EncryptionRules } from '../../../src/storage/encryption/rules.ts';
import { secretbox } from '../../../src/storage/encryption/secretbox.ts';
import { identity } from '../../../src/storage/encryption/transformer.ts';
import { bytes, text } from '../helpers.ts';
import reference from './reference-values.json' with { type: 'json' };

const binary = (base64: string) => Buffer.from(base64, 'base64');
const plain = binary(reference.plain).toString();
const create = (name: string) =>
  name.startsWith('aesgcm') ? aesGcm : name.startsWith('aescbc') ? aesCbc : secretbox;
const values = Object.entries(reference.values).filter(([name]) => name !== 'hkdf');

async function reason(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
}

describe.each(values)('%s', (name, { secret, value }) => {
  const transformer = create(name)(binary(secret));

  test('decrypts what kube-apiserver has encrypted', async () => {
    const decrypted = await transformer.decrypt(binary(value), reference.key);
    expect(text(decrypted.value)).toBe(plain);
    expect(decrypted.stale).toBe(false);
  });

  test('decrypts its own values of every length around a block', async () => {
    for (let length = 0; length < 50; length += 1) {
      const data = Buffer.alloc(length, 'x');
      const encrypted = transformer.encrypt(data, '/a');
      expect(Buffer.from((await transformer.decrypt(encrypted, '/a')).value).equals(data)).toBe(true);
    }
  });

  test('encrypts each value differently', () => {
    const [one, other] = [transformer.encrypt(bytes('a'), '/a'), transformer.encrypt(bytes('a'), '/a')];
    expect(Buffer.compare(one, other)).not.toBe(0);
  });

  test('refuses data that are too short', async () => {
    expect(await reason(() => transformer.decrypt(new Uint8Array(3), '/a'))).toBe(
      'the stored data was shorter than the required size',
    );
  });

  test('refuses other data', async () => {
    expect(await reason(() => transformer.decrypt(Buffer.alloc(64, 1), '/a'))).toMatch(
      /authentication failed|padding|PKCS7|not large enough/,
    );
  });
});

test('AES-CBC refuses partial blocks and a missing value', async () => {
  const transformer = aesCbc(Buffer.alloc(32));
  expect(await reason(() => transformer.decrypt(new Uint8Array(33), '/a'))).toBe(
    'the stored data is not a multiple of the block size',
  );
  expect(await reason(() => transformer.decrypt(new Uint8Array(16), '/a'))).toBe(
    'invalid PKCS7 data (empty or not padded)',
  );
});

describe('several providers', () => {
  const records: string[] = [];
  const union = (...transformers: PrefixTransformer[]) =>
    new PrefixTransformers(transformers, 'no matching prefix found', (type, prefix, _seconds, error) =>
      records.push(`${type} ${prefix} ${error === undefined ? 'OK' : (error as Error).message}`),
    );
  const of = (prefix: string, letter: string) => ({ prefix, transformer: aesGcm(Buffer.alloc(32, letter)) });

  test('with the same prefix are tried in turn; only the first one is current', async () => {
    const [a, b] = [of('p:', 'a'), of('p:', 'b')];
    const value = union(b).encrypt(bytes('value'), '/a');
    records.length = 0;
    expect(await union(a, b).decrypt(value, '/a')).toMatchObject({ stale: true });
    expect(await union(b, a).decrypt(value, '/a')).toMatchObject({ stale: false });
    expect(records).toEqual([
      'from_storage p: cipher: message authentication failed',
      'from_storage p: OK',
      'from_storage p: OK',
    ]);
  });

  test('after identity read what is encrypted, and identity reads the rest', async () => {
    const encrypting = of('k8s:enc:aesgcm:v1:', 'a');
    const value = union(encrypting).encrypt(bytes('value'), '/a');
    const plainFirst = union({ prefix: '', transformer: identity }, encrypting);
    expect(await plainFirst.decrypt(value, '/a')).toMatchObject({ stale: true });
    expect(await plainFirst.decrypt(bytes('{}'), '/a')).toEqual({ value: bytes('{}'), stale: false });
    expect(await reason(() => union({ prefix: '', transformer: identity }).decrypt(value, '/a'))).toBe(
      'no matching prefix found',
    );
  });

  test('report all errors', async () => {
    const value = union(of('p:', 'c')).encrypt(bytes('value'), '/a');
    const other = { prefix: 'p:', transformer: aesCbc(Buffer.alloc(32)) };
    expect(await reason(() => union(of('p:', 'a'), other).decrypt(value, '/a'))).toBe(
      '[cipher: message authentication failed, the stored data is not a multiple of the block size]',
    );
  });
});

describe('rules', () => {
  const rules = (...patterns: string[][]) =>
    EncryptionRules.create(
      patterns.map((resources, index) => ({
        resources,
        providers: [{ type: 'aesgcm', keys: [{ name: String(index), secret: Buffer.alloc(32) }] }],
      })),
      { keyService: () => ({ prefix: '', transformer: identity }), record: () => undefined },
    );
  const chosen = (created: EncryptionRules, type: string) => {
    const transformer = created.transformerOf(type);
    return transformer && text(transformer.encrypt(bytes(''), '/a').subarray(18, 19));
  };

  test('choose the exact resource, its group, then everything', () => {
    const created = rules(['secrets', 'deployments.apps'], ['*.apps'], ['*.'], ['*.*']);
    const types = ['secrets', 'deployments.apps', 'replicasets.apps', 'pods', 'leases.coordination.k8s.io'];
    expect(types.map((type) => chosen(created, type))).toEqual(['0', '0', '1', '2', '3']);
  });

  test('leave other resources as they are', () => {
    expect(chosen(rules(['secrets'], ['*.apps']), 'configmaps')).toBeUndefined();
  });

  test('of one resource add up', () => {
    expect(chosen(rules(['secrets'], ['secrets']), 'secrets')).toBe('0');
  });

  test.each([
    [['*.apps'], ['deployments.apps'], 'deployments.apps', '*.apps'],
    [['*.*'], ['secrets'], 'secrets', '*.*'],
    [['*.'], ['secrets'], 'secrets', '*.'],
    [['*.'], ['*.'], '*.', '*.'],
    [['*.*'], ['*.apps'], '*.apps', '*.*'],
  ])('%s mask %s', (earlier, later, resource, mask) => {
    expect(() => rules(earlier, later)).toThrow(
      `error while building transformers: resource "${resource}" is masked by earlier rule "${mask}"`,
    );
  });
});
