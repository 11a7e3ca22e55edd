import { ConfigurationError } from '../../errors/configuration-error.ts';
import { aesCbc, aesGcm } from './aes.ts';
import {
  type PrefixTransformer,
  PrefixTransformers,
  type RecordTransformation,
} from './prefix-transformers.ts';
import { secretbox } from './secretbox.ts';
import { identity, type ValueTransformer } from './transformer.ts';

interface LocalKey {
  readonly name: string;
  readonly secret: Uint8Array;
}

/** A provider of a rule. */
export type ProviderOptions<KeyService> =
  | { readonly type: 'identity' }
  | { readonly type: 'aesgcm' | 'aescbc' | 'secretbox'; readonly keys: readonly LocalKey[] }
  | { readonly type: 'kms'; readonly service: KeyService };

export interface RuleOptions<KeyService> {
  /** `resource`, `resource.group`, `*.group`, `*.` (the core group) or `*.*`. */
  readonly resources: readonly string[];
  readonly providers: readonly ProviderOptions<KeyService>[];
}

export interface RulesEnvironment<KeyService> {
  /** Returns the transformer of a key service. @throws ConfigurationError */
  keyService(service: KeyService): PrefixTransformer;
  /** Records an encryption or decryption of a resource, given as `resource.group`. */
  record(resource: string, ...parameters: Parameters<RecordTransformation>): void;
}

const LOCAL = {
  aesgcm: { create: aesGcm, name: 'AES' },
  aescbc: { create: aesCbc, name: 'AES' },
  secretbox: { create: secretbox, name: 'Secretbox' },
} as const;

/** Creates the transformer of a provider for a resource, whose transformations it records. */
type MakeTransformer = (record: RecordTransformation) => PrefixTransformer;

/** The rules of an EncryptionConfiguration: they choose the transformer of each resource. */
export class EncryptionRules {
  /** By `resource.group`, `*.group` and `*.*`. */
  readonly #byPattern = new Map<string, MakeTransformer[]>();
  readonly #chosen = new Map<string, ValueTransformer | undefined>();
  readonly #record: RulesEnvironment<never>['record'];

  /** @throws ConfigurationError when a rule is masked by an earlier one, or a provider is not supported */
  static create<KeyService>(
    rules: readonly RuleOptions<KeyService>[],
    environment: RulesEnvironment<KeyService>,
  ): EncryptionRules {
    const created = new EncryptionRules(environment.record);
    for (const { resources, providers } of rules) {
      const makers = providers.map((provider) => makerOf(provider, environment));
      for (const resource of resources) created.#add(resource, makers);
    }
    return created;
  }

  private constructor(record: RulesEnvironment<never>['record']) {
    this.#record = record;
  }

  #add(text: string, makers: readonly MakeTransformer[]): void {
    const dot = text.indexOf('.');
    const resource = dot < 0 ? text : text.slice(0, dot);
    const group = dot < 0 ? '' : text.slice(dot + 1);
    const shown = group === '' && resource !== '*' ? resource : `${resource}.${group}`;
    for (const mask of [`*.${group}`, '*.*'])
      if (this.#byPattern.has(mask))
        throw new ConfigurationError(
          `error while building transformers: resource ${JSON.stringify(shown)} is masked by earlier rule ${JSON.stringify(mask)}`,
        );
    const pattern = `${resource}.${group}`;
    this.#byPattern.set(pattern, [...(this.#byPattern.get(pattern) ?? []), ...makers]);
  }

  /**
   * The transformer of a resource; undefined when no rule names it: then values are stored as they are.
   * @param type `resource.group`, or `resource` of the core group
   */
  transformerOf(type: string): ValueTransformer | undefined {
    const chosen = this.#chosen.get(type);
    if (chosen !== undefined || this.#chosen.has(type)) return chosen;
    const dot = type.indexOf('.');
    const group = dot < 0 ? '' : type.slice(dot + 1);
    const makers =
      this.#byPattern.get(dot < 0 ? `${type}.` : type) ??
      this.#byPattern.get(`*.${group}`) ??
      this.#byPattern.get('*.*');
    const record: RecordTransformation = (...parameters) => this.#record(type, ...parameters);
    const transformer =
      makers &&
      new PrefixTransformers(
        makers.map((make) => make(record)),
        'no matching prefix found',
        record,
      );
    this.#chosen.set(type, transformer);
    return transformer;
  }
}

function makerOf<KeyService>(
  provider: ProviderOptions<KeyService>,
  environment: RulesEnvironment<KeyService>,
): MakeTransformer {
  if (provider.type === 'identity') return () => ({ prefix: '', transformer: identity });
  if (provider.type === 'kms') {
    const transformer = environment.keyService(provider.service);
    return () => transformer;
  }
  const { create, name } = LOCAL[provider.type];
  const keys = provider.keys.map((key) => ({ prefix: `${key.name}:`, transformer: create(key.secret) }));
  const noMatch = `no matching key was found for the provided ${name} transformer`;
  return (record) => ({
    prefix: `k8s:enc:${provider.type}:v1:`,
    transformer: new PrefixTransformers(keys, noMatch, record),
  });
}
