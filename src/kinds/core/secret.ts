import { createPrivateKey, X509Certificate } from 'node:crypto';
import { base64OfText } from '../../codec/base64.ts';
import { DecodeError } from '../../codec/decode-error.ts';
import { parseJson } from '../../codec/json-parse.ts';
import { scanJson } from '../../codec/json-scan.ts';
import { MAXIMUM_PARTS } from '../../codec/parts.ts';
import type { Secret } from '../../model/generated/core-v1.ts';
import { configMapKey } from '../../model/name-syntax.ts';
import { getMember, type KubernetesObject, setMember } from '../../model/object.ts';
import { type FieldError, invalid, required, tooLong } from '../../status/field-error.ts';
import { Pace } from '../../steps/pace.ts';
import { checkEach, once } from '../../steps/replay.ts';
import { runNow } from '../../steps/run.ts';
import type { Steps } from '../../steps/steps.ts';
import { defineResource } from '../builtin-resource.ts';
import { textAt } from '../field-reader.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { size } from '../tables/format.ts';
import { invalidTexts, validateImmutable } from '../validation/fields.ts';
import { base64Length, MAXIMUM_DATA_BYTES, sizeOfData, validateImmutableData } from './config-map.ts';

const TOKEN_TYPE = 'kubernetes.io/service-account-token';
const ACCOUNT_NAME = 'kubernetes.io/service-account.name';

function defaultSecret(object: KubernetesObject): void {
  (object as Secret).type ||= 'Opaque';
  runNow(movingTexts(object));
}

/** Moves the write-only `stringData` into `data`. */
function* movingTexts(object: KubernetesObject): Steps<void> {
  const secret = object as Secret;
  const { stringData } = secret;
  if (stringData === undefined) return;
  secret.data ??= {};
  const pace = new Pace();
  for (const key of Object.keys(stringData)) {
    if (pace.isPause()) yield;
    setMember(secret.data, key, base64OfText(stringData[key]!));
  }
  delete secret.stringData;
}

const SSH_KEY = 'ssh-privatekey';
/** Data keys that a secret type requires; an SSH key must not be empty either. */
const REQUIRED_KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['kubernetes.io/dockercfg', ['.dockercfg']],
  ['kubernetes.io/dockerconfigjson', ['.dockerconfigjson']],
  ['kubernetes.io/tls', ['tls.crt', 'tls.key']],
]);

function validateSecret(secret: Secret): FieldError[] {
  const { data = {} } = secret;
  const errors = checkEach(data, { place: 'data', items: () => Object.keys(data) }, (key) =>
    invalidTexts(`data[${key}]`, key, configMapKey(key)),
  );
  if (sizeOfData(data, base64Length) > MAXIMUM_DATA_BYTES) errors.push(tooLong('data', MAXIMUM_DATA_BYTES));
  return [...errors, ...validateType(secret)];
}

function validateType({ type = '', data = {}, metadata }: Secret): FieldError[] {
  if (type === TOKEN_TYPE) {
    const account =
      metadata?.annotations === undefined ? undefined : getMember(metadata.annotations, ACCOUNT_NAME);
    return account ? [] : [required(`metadata.annotations[${ACCOUNT_NAME}]`)];
  }
  if (type === 'kubernetes.io/basic-auth') {
    return Object.hasOwn(data, 'username') || Object.hasOwn(data, 'password')
      ? []
      : [required('data[username]'), required('data[password]')];
  }
  if (type === 'kubernetes.io/ssh-auth' && !getMember(data, SSH_KEY)) return [required(`data[${SSH_KEY}]`)];
  const keys = REQUIRED_KEYS.get(type) ?? [];
  const missing = keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`));
  const key = keys[0];
  if (missing.length > 0 || key === undefined || !type.startsWith('kubernetes.io/dockerc')) return missing;
  const problem = once(data, { place: key, cost: JSON_COST }, () =>
    jsonObjectProblem(Buffer.from(data[key]!, 'base64')),
  );
  return problem === undefined ? [] : [invalid(`data[${key}]`, '<secret contents redacted>', problem)];
}

/** Cost of checking a JSON document near the maximum size: it has a run of its own. */
const JSON_COST = 8192;

/** Returns why the bytes are not a JSON object, or have more parts than an object of the API; the message contains at most one character of the secret. */
function jsonObjectProblem(bytes: Uint8Array): string | undefined {
  try {
    if (scanJson(bytes).parts > MAXIMUM_PARTS)
      return `json: the document has more than ${MAXIMUM_PARTS} members and items`;
    const { value } = parseJson(bytes);
    const kind = Array.isArray(value) ? 'array' : value === null ? 'object' : GO_KINDS[typeof value];
    return kind === 'object'
      ? undefined
      : `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

/** JSON kinds as Go's error messages name them. */
const GO_KINDS: Readonly<Record<string, string>> = {
  object: 'object',
  string: 'string',
  number: 'number',
  bigint: 'number',
  boolean: 'bool',
};

/** Warns about an unusable TLS key pair, which is stored nevertheless. */
function secretWarnings({ type, data = {} }: Secret): string[] {
  if (type !== 'kubernetes.io/tls') return [];
  const [certificate, key] = ['tls.crt', 'tls.key'].map((name) =>
    Buffer.from(String(getMember(data, name) ?? ''), 'base64'),
  );
  const problem = keyPairProblem(certificate!, key!);
  return problem === undefined ? [] : [`tls: ${problem}`];
}

function keyPairProblem(certificate: Buffer, key: Buffer): string | undefined {
  if (!certificate.includes('-----BEGIN ')) return 'failed to find any PEM data in certificate input';
  if (!key.includes('-----BEGIN ')) return 'failed to find any PEM data in key input';
  let parsed: X509Certificate;
  try {
    parsed = new X509Certificate(certificate);
  } catch {
    return 'failed to parse certificate';
  }
  try {
    return parsed.checkPrivateKey(createPrivateKey(key))
      ? undefined
      : 'private key does not match public key';
  } catch {
    return 'failed to parse private key';
  }
}

export const secretStrategy: Strategy = {
  metadata: { checks: { update: ['change', 'whole'] } },
  defaulting: { byVersion: { v1: defaultSecret }, preparing: { v1: movingTexts } },
  validate: (object) => validateSecret(object as Secret),
  validateUpdate: (object, old) => [
    ...validateImmutable((object as Secret).type, (old as Secret).type, 'type'),
    ...validateImmutableData(object as Secret, old as Secret, 'core_v1.Secret', ['data']),
    ...validateSecret(object as Secret),
  ],
  warnings: (object) => secretWarnings(object as Secret),
};

export const secrets = defineResource({
  group: '',
  versions: ['v1'],
  resource: 'secrets',
  kind: 'Secret',
  strategy: secretStrategy,
  fieldSelectors: { type: textAt('type') },
  table: table<Secret>(
    [NAME, column('Type', 'Type of the secret.'), column('Data', 'Number of entries.'), AGE],
    (object) => [nameOf(object), object.type ?? '', size(object.data), ageOf(object)],
  ),
});
