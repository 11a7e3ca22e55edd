import { describe, expect, it } from 'vitest';
import { configMapStrategy } from '../../../src/kinds/core/config-map.ts';
import { secretStrategy } from '../../../src/kinds/core/secret.ts';
import { serviceAccountStrategy } from '../../../src/kinds/core/service-account.ts';
import { created, defaulted, errorsOf, updated } from '../run-strategy.ts';

const KEY_RULE =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

describe('config map strategy', () => {
  it.each([
    ['a slash in a key', { data: { 'a/b': '' } }, [`data[a/b]: Invalid value: "a/b": ${KEY_RULE}`]],
    ['the key ..', { binaryData: { '..': '' } }, [`binaryData[..]: Invalid value: "..": must not be '..'`]],
    [
      'a key in data and binaryData',
      { data: { k: '' }, binaryData: { k: '' } },
      ['data[k]: Invalid value: "k": duplicate of key present in binaryData'],
    ],
    ['values of 1 MiB', { data: { k: 'x'.repeat(1024 * 1024) } }, []],
    [
      'values above 1 MiB',
      { data: { k: 'x'.repeat(1024 * 1024) }, binaryData: { l: 'AA==' } },
      ['[]: Too long: may not be more than 1048576 bytes'],
    ],
  ])('validates %s', (_case, object, expected) =>
    expect(errorsOf(configMapStrategy, object)).toEqual(expected),
  );

  it('rejects changes of an immutable config map', () => {
    const { object: old } = created(configMapStrategy, { immutable: true, data: { a: '1' } });
    const immutable = (member: string): string =>
      `${member}: Forbidden: field is immutable when \`immutable\` is set`;
    expect(updated(configMapStrategy, { data: { a: '2' }, binaryData: { b: '' } }, old).errors).toEqual(
      ['immutable', 'data', 'binaryData'].map(immutable),
    );
    expect(
      updated(configMapStrategy, { immutable: true, data: { a: '1' }, metadata: { labels: { a: 'b' } } }, old)
        .errors,
    ).toEqual([]);
    expect(
      updated(configMapStrategy, { immutable: true, data: { a: '1' }, binaryData: {} }, old).errors,
    ).toEqual([immutable('binaryData')]);
  });

  it('accepts __proto__ as a key', () => {
    const data = JSON.parse('{"__proto__": "x"}') as Record<string, string>;
    expect(errorsOf(configMapStrategy, { data })).toEqual([]);
  });
});

describe('secret strategy', () => {
  const text = (value: string): string => Buffer.from(value).toString('base64');

  it('moves stringData into data', () => {
    const { data, type, stringData } = defaulted(secretStrategy, {
      data: { a: text('old'), b: text('b') },
      stringData: JSON.parse('{"a": "new", "__proto__": "p"}') as object,
    });
    expect(JSON.stringify(data)).toBe(`{"a":"${text('new')}","b":"${text('b')}","__proto__":"${text('p')}"}`);
    expect([type, stringData]).toEqual(['Opaque', undefined]);
  });

  it.each([
    ['kubernetes.io/basic-auth', {}, ['data[username]: Required value', 'data[password]: Required value']],
    ['kubernetes.io/basic-auth', { password: '' }, []],
    ['kubernetes.io/ssh-auth', {}, ['data[ssh-privatekey]: Required value']],
    ['kubernetes.io/tls', { 'tls.crt': '' }, ['data[tls.key]: Required value']],
    ['kubernetes.io/dockercfg', { other: '{}' }, ['data[.dockercfg]: Required value']],
    ['kubernetes.io/dockerconfigjson', { '.dockerconfigjson': '{"auths":{}}' }, []],
    [
      'kubernetes.io/dockerconfigjson',
      { '.dockerconfigjson': '{' },
      ['data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": unexpected end of JSON input'],
    ],
    [
      'kubernetes.io/service-account-token',
      {},
      ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
    ],
    ['example.test/own', {}, []],
  ])('validates type %s with %j', (type, stringData, expected) =>
    expect(errorsOf(secretStrategy, { type, stringData })).toEqual(expected),
  );

  it.each([
    ['hunter2 and more', "invalid character 'h' looking for beginning of value"],
    ['["hunter2"]', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['17', 'json: cannot unmarshal number into Go value of type map[string]interface {}'],
  ])('redacts the contents in errors: %s', (text, problem) => {
    const errors = errorsOf(secretStrategy, {
      type: 'kubernetes.io/dockercfg',
      stringData: { '.dockercfg': text },
    });
    expect(errors).toEqual([`data[.dockercfg]: Invalid value: "<secret contents redacted>": ${problem}`]);
  });

  it('rejects a change of the type', () => {
    const { object: old } = created(secretStrategy, { type: 'example.test/own' });
    expect(updated(secretStrategy, { type: 'other' }, old).errors).toEqual([
      'type: Invalid value: "other": field is immutable',
    ]);
  });

  it('warns about an unusable TLS key pair', () => {
    const warn = (stringData: object): string[] =>
      secretStrategy.warnings!(
        defaulted(secretStrategy, { type: 'kubernetes.io/tls', stringData }),
        undefined,
        undefined as never,
      );
    expect(warn({ 'tls.crt': 'c', 'tls.key': 'k' })).toEqual([
      'tls: failed to find any PEM data in certificate input',
    ]);
    expect(warn({ 'tls.crt': '-----BEGIN CERTIFICATE-----\n', 'tls.key': 'k' })).toEqual([
      'tls: failed to find any PEM data in key input',
    ]);
  });
});

it('keeps only the names of service account secrets', () => {
  const { object } = created(serviceAccountStrategy, {
    secrets: [{ name: 's', namespace: 'elsewhere', uid: 'u' }],
  });
  expect(object.secrets).toEqual([{ name: 's' }]);
});
