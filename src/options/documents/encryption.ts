import { readFileSync } from 'node:fs';
import { canonicalBase64 } from '../../codec/base64.ts';
import { aggregate } from '../../errors/aggregate.ts';
import { ConfigurationError, withFile } from '../../errors/configuration-error.ts';
import type {
  EncryptionConfiguration,
  Key,
  KMSConfiguration,
  ProviderConfiguration,
} from '../../model/generated/apiserverconfig-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { type FieldError, formatFieldError, required } from '../../status/field-error.ts';
import { parseMilliseconds } from '../../time/duration.ts';
import { type DocumentKind, readDocument } from './document.ts';
import { resourceErrors } from './encryption-resources.ts';
import { atLeastOne, keyErrors, keyServiceErrors, providerErrors } from './encryption-validation.ts';

const type = () => internalTypes.type('apiserverconfig_v1.EncryptionConfiguration');
const KINDS: readonly DocumentKind[] = [
  { kind: 'EncryptionConfiguration', versions: { 'apiserver.config.k8s.io/v1': type }, secret: true },
  { kind: 'EncryptionConfig', versions: { v1: type }, secret: true },
];
const DEFAULT_TIMEOUT = '3s';
const DEFAULT_CACHE_SIZE = 1000;

/** A named key of a local provider. */
export interface EncryptionKey {
  readonly name: string;
  readonly secret: Uint8Array;
}

/** A key management service: a plugin that listens on a Unix socket. */
export interface KeyService {
  readonly apiVersion: 'v1' | 'v2';
  readonly name: string;
  /** `unix://` and the path of the socket; a path that begins with `/@` is an abstract socket. */
  readonly endpoint: string;
  /** Bound of one call, in milliseconds. */
  readonly timeout: number;
}

export type EncryptionProvider =
  | { readonly type: 'identity' }
  | { readonly type: 'aesgcm' | 'aescbc' | 'secretbox'; readonly keys: readonly EncryptionKey[] }
  | { readonly type: 'kms'; readonly service: KeyService };

/** Resources, and the providers of their values: the first one encrypts, each may decrypt. */
export interface EncryptionRule {
  /** `resource`, `resource.group`, `*.group`, `*.` (the core group) or `*.*`. */
  readonly resources: readonly string[];
  readonly providers: readonly EncryptionProvider[];
}

/**
 * Reads the file of `--encryption-provider-config`.
 * @throws ConfigurationError
 */
export function readEncryptionFile(file: string): Buffer {
  const name = JSON.stringify(file);
  let content: Buffer;
  try {
    content = withFile('open', file, () => readFileSync(file));
  } catch (error) {
    throw loadError(
      `error while loading file: error reading encryption provider configuration file ${name}: ${(error as Error).message}`,
    );
  }
  if (content.length > 0) return content;
  throw loadError(`error while loading file: encryption provider configuration file ${name} is empty`);
}

/**
 * Parses an EncryptionConfiguration.
 * @param reload whether the file is reloaded: then names of key services of version 1 must be unique too
 * @throws ConfigurationError with every invalid field
 */
export function parseEncryption(text: string, file: string, reload: boolean): readonly EncryptionRule[] {
  let content: EncryptionConfiguration;
  try {
    ({ content } = readDocument<EncryptionConfiguration>(text, KINDS));
  } catch (error) {
    throw loadError(
      `error decoding encryption provider configuration file ${JSON.stringify(file)}: ${(error as Error).message}`,
    );
  }
  const problems = validate(content, reload);
  if (problems.length > 0) throw loadError(aggregate(problems.map(formatFieldError)));
  return content.resources!.map(({ resources = [], providers = [] }) => ({
    resources,
    providers: providers.map(providerOf),
  }));
}

const loadError = (message: string) => new ConfigurationError(`error while parsing file: ${message}`);

function validate({ resources: rules = [] }: EncryptionConfiguration, reload: boolean): FieldError[] {
  if (rules.length === 0) return [required('resources', atLeastOne('resources'))];
  const names = new Set<string>();
  return rules.flatMap(({ resources = [], providers = [] }, index) => {
    const resourcesPath = `resources[${index}].resources`;
    const path = `resources[${index}].providers`;
    return [
      ...(resources.length === 0 ? [required(resourcesPath, atLeastOne(resourcesPath))] : []),
      ...resourceErrors(resourcesPath, resources),
      ...(providers.length === 0 ? [required(path, atLeastOne(path))] : []),
      ...providers.flatMap((provider, at) => validateProvider(`${path}[${at}]`, provider, names, reload)),
    ];
  });
}

function validateProvider(
  path: string,
  provider: ProviderConfiguration,
  names: Set<string>,
  reload: boolean,
): FieldError[] {
  const problems = providerErrors(path, provider);
  const { kms, aesgcm, aescbc, secretbox } = provider;
  if (kms !== undefined) {
    const service = withDefaults(kms);
    problems.push(...keyServiceErrors(`${path}.kms`, service, names, reload));
    names.add(service.name);
  } else if (aesgcm !== undefined) problems.push(...keyErrors(`${path}.aesgcm.keys`, aesgcm.keys, AES));
  else if (aescbc !== undefined) problems.push(...keyErrors(`${path}.aescbc.keys`, aescbc.keys, AES));
  else if (secretbox !== undefined)
    problems.push(...keyErrors(`${path}.secretbox.keys`, secretbox.keys, [32]));
  return problems;
}

const AES = [16, 24, 32];

function withDefaults(kms: KMSConfiguration) {
  const apiVersion = kms.apiVersion === undefined || kms.apiVersion === '' ? 'v1' : kms.apiVersion;
  return {
    apiVersion,
    name: kms.name ?? '',
    endpoint: kms.endpoint ?? '',
    timeout: kms.timeout ?? DEFAULT_TIMEOUT,
    cachesize: kms.cachesize ?? (apiVersion === 'v1' ? DEFAULT_CACHE_SIZE : undefined),
  };
}

function providerOf({ kms, aesgcm, aescbc, secretbox }: ProviderConfiguration): EncryptionProvider {
  if (kms !== undefined) {
    const { apiVersion, name, endpoint, timeout } = withDefaults(kms);
    return {
      type: 'kms',
      service: {
        apiVersion: apiVersion as KeyService['apiVersion'],
        name,
        endpoint,
        timeout: parseMilliseconds(timeout),
      },
    };
  }
  if (aesgcm !== undefined) return { type: 'aesgcm', keys: keysOf(aesgcm.keys) };
  if (aescbc !== undefined) return { type: 'aescbc', keys: keysOf(aescbc.keys) };
  if (secretbox !== undefined) return { type: 'secretbox', keys: keysOf(secretbox.keys) };
  return { type: 'identity' };
}

const keysOf = (keys: readonly Key[] = []): EncryptionKey[] =>
  keys.map(({ name = '', secret = '' }) => ({
    name,
    secret: Buffer.from(canonicalBase64(secret), 'base64'),
  }));
