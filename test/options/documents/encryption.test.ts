import { describe, expect, it } from 'vitest';
import { parseEncryption, readEncryptionFile } from '../../../src/options/documents/encryption.ts';

const secret = (bytes: number) => Buffer.alloc(bytes, 'k').toString('base64');
const rule = (resources: readonly unknown[], ...providers: readonly unknown[]) => ({ resources, providers });
const aescbc = (...keys: readonly object[]) => ({ aescbc: { keys } });
const kms = (fields: object) => ({
  kms: { apiVersion: 'v2', name: 'n', endpoint: 'unix:///tmp/absent.sock', ...fields },
});
const identity = { identity: {} };
const good = { name: 'a', secret: secret(32) };
const parse = (resources: readonly unknown[], reload = false, header = {}) =>
  parseEncryption(
    JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'EncryptionConfiguration',
      ...header,
      resources,
    }),
    '/f.json',
    reload,
  );

describe('EncryptionConfiguration', () => {
  it('is read with its keys in binary and the defaults of key services', () => {
    expect(
      parse([
        rule(['secrets'], aescbc(good), { secretbox: { keys: [good] } }, identity),
        rule(['*.*'], { kms: { name: 'k', endpoint: 'unix:///s' } }, kms({ timeout: '1s' })),
      ]),
    ).toEqual([
      {
        resources: ['secrets'],
        providers: [
          { type: 'aescbc', keys: [{ name: 'a', secret: Buffer.alloc(32, 'k') }] },
          { type: 'secretbox', keys: [{ name: 'a', secret: Buffer.alloc(32, 'k') }] },
          { type: 'identity' },
        ],
      },
      {
        resources: ['*.*'],
        providers: [
          { type: 'kms', service: { apiVersion: 'v1', name: 'k', endpoint: 'unix:///s', timeout: 3000 } },
          {
            type: 'kms',
            service: { apiVersion: 'v2', name: 'n', endpoint: 'unix:///tmp/absent.sock', timeout: 1000 },
          },
        ],
      },
    ]);
  });

  it('is read in its first form and in YAML', () => {
    expect(
      parse([rule(['secrets'], identity)], false, { kind: 'EncryptionConfig', apiVersion: 'v1' }),
    ).toHaveLength(1);
    const yaml =
      'apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n- resources: [secrets]\n  providers:\n  - identity: {}\n';
    expect(parseEncryption(yaml, '/f.yaml', false)).toEqual([
      { resources: ['secrets'], providers: [{ type: 'identity' }] },
    ]);
  });

  const overlap =
    "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked";
  it.each<[string, readonly unknown[]]>([
    ['resources: Required value: at least one resources is required', []],
    [
      'resources[0].resources: Required value: at least one resources[0].resources is required',
      [rule([], identity)],
    ],
    [
      'resources[0].providers: Required value: at least one resources[0].providers is required',
      [rule(['secrets'])],
    ],
    [
      'resources[0].providers[0]: Invalid value: apiserver.ProviderConfiguration{AESGCM:(*apiserver.AESConfiguration)(nil), AESCBC:(*apiserver.AESConfiguration)(nil), Secretbox:(*apiserver.SecretboxConfiguration)(nil), Identity:(*apiserver.IdentityConfiguration)(nil), KMS:(*apiserver.KMSConfiguration)(nil)}: provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity',
      [rule(['secrets'], {})],
    ],
    [
      'resources[0].resources: Invalid value: []string{"secrets", "secrets"}: the same resource cannot be specified multiple times',
      [rule(['secrets', 'secrets'], identity)],
    ],
    [
      `resources[0].resources: Invalid value: []string{"*.*", "secrets"}: ${overlap}`,
      [rule(['*.*', 'secrets'], identity)],
    ],
    [
      `resources[0].resources: Invalid value: []string{"deployments.apps", "*.apps"}: ${overlap}`,
      [rule(['deployments.apps', '*.apps'], identity)],
    ],
    [
      "resources[0].resources[0]: Invalid value: \"events.events.k8s.io\": '*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file",
      [rule(['events.events.k8s.io'], identity)],
    ],
    [
      'resources[0].resources[0]: Invalid value: "ingresses.extensions": \'extensions\' group has been removed and cannot be used for encryption',
      [rule(['ingresses.extensions'], identity)],
    ],
    [
      'resources[0].resources[0]: Invalid value: "pods.*": encrypting the same resource across groups is not supported',
      [rule(['pods.*'], identity)],
    ],
    [
      'resources[0].providers[0].aescbc.keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded',
      [rule(['secrets'], aescbc({ name: 'a', secret: '!!' }))],
    ],
    [
      'resources[0].providers[0].aescbc.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 5, expected one of [16 24 32]',
      [rule(['secrets'], aescbc({ name: 'a', secret: secret(5) }))],
    ],
    [
      'resources[0].providers[0].kms.timeout: Invalid value: v1.Duration{Duration:-1000000000}: timeout should be a positive value',
      [rule(['secrets'], kms({ timeout: '-1s' }))],
    ],
    [
      'resources[0].providers[0].kms.endpoint: Invalid value: ":x": invalid endpoint for kms provider, error: parse ":x": missing protocol scheme',
      [rule(['secrets'], kms({ endpoint: ':x' }))],
    ],
    [
      'resources[0].providers[0].kms.cachesize: Invalid value: 0: cachesize should be a positive value, or negative to disable',
      [rule(['secrets'], kms({ apiVersion: 'v1', cachesize: 0 }))],
    ],
    [
      'resources[1].providers[0].kms.name: Invalid value: "n": duplicate KMS provider name n, names must be unique',
      [rule(['secrets'], kms({})), rule(['configmaps'], kms({}))],
    ],
  ])('is refused with: %s', (message, rules) => {
    expect(() => parse(rules)).toThrow(
      expect.objectContaining({
        name: 'ConfigurationError',
        message: `error while parsing file: ${message}`,
      }),
    );
  });

  it('may repeat names of key services of version 1 unless it is reloaded', () => {
    const rules = [rule(['secrets'], kms({ apiVersion: 'v1' }), kms({ apiVersion: 'v1' }))];
    expect(parse(rules)).toHaveLength(1);
    expect(() => parse(rules, true)).toThrow('duplicate KMS provider name n');
  });

  it('does not show a secret in an error about its text', () => {
    expect(() => parseEncryption('{"secret": "hidden', '/f.json', false)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hidden') }),
    );
  });

  it('must be in a file that has content', () => {
    expect(() => readEncryptionFile('/absent/file')).toThrow(
      'error while parsing file: error while loading file: error reading encryption provider configuration file "/absent/file": open /absent/file: no such file or directory',
    );
    expect(() => readEncryptionFile('/dev/null')).toThrow('"/dev/null" is empty');
  });
});
