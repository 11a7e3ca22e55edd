import { createHash } from 'node:crypto';
import type { FeatureGate } from '../model/feature-gates.ts';
import type { Life } from '../model/life.ts';
import { apiVersionOf } from '../model/object.ts';
import type { Scheme } from '../model/scheme.ts';
import type { CustomKind } from '../openapi/custom-kind.ts';

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

const ALL_VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];
const OBJECT_SUBRESOURCE_VERBS: readonly Verb[] = ['get', 'patch', 'update'];

export interface SubresourceRow {
  readonly name: string;
  readonly kind: string;
  /**
   * Group and version of `kind` when it belongs to another group (Scale, Eviction, TokenRequest); otherwise
   * undefined.
   */
  readonly group: string | undefined;
  readonly version: string | undefined;
  readonly verbs: readonly Verb[];
}

/** One resource of one group version. */
export interface ResourceRow {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly listKind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly SubresourceRow[];
  /** Field labels of field selectors, beyond metadata.name and metadata.namespace. */
  readonly fieldSelectors: readonly string[];
  /**
   * The published schemas of a custom kind; absent for built-in kinds, which are published from their message
   * types. Requests for custom resources are routed by their verb instead of fixed paths.
   */
  readonly customKind?: CustomKind;
  /** The releases that have the kind in this version. */
  readonly life: Life;
  /** The feature gate without which it is not served. */
  readonly gate?: string | undefined;
  /** Served only when `--runtime-config` enables it. */
  readonly optional: boolean;
  /** Warning in the response to every request. */
  readonly deprecationWarning: string | undefined;
  /** Storage of the resource; undefined for virtual kinds. */
  readonly storage: StorageRow | undefined;
}

export interface StorageRow {
  /** Key prefix below `/registry/`. */
  readonly prefix: string;
  /** apiVersion of the storage version. */
  readonly apiVersion: string;
  readonly group: string;
  readonly version: string;
  readonly encoding: 'protobuf' | 'json';
  /** False for a kind that kube-apiserver reads from the store only: a limit also holds at version 0. */
  readonly watchCache: boolean;
  /** Base64 of the first 8 bytes of SHA-256 of `group/version/kind` of the storage version. */
  readonly versionHash: string;
}

/** A subresource: its name if it reads and writes the object itself. */
export type SubresourceOptions =
  | string
  | (Life & {
      readonly name: string;
      /** Default: the kind of the resource. */
      readonly kind?: string;
      /** Group and version of `kind` when it belongs to another group. */
      readonly group?: string;
      readonly version?: string;
      /** Default: those of a subresource that reads and writes the object. */
      readonly verbs?: readonly Verb[];
      /** A feature gate without which the subresource does not exist. */
      readonly gate?: FeatureGate;
    });

/** Returns whether a feature gate is on. */
export type GatePredicate = (gate: string) => boolean;

/** Returns whether a subresource exists in a release with the given feature gates. */
export const isSubresourceServed = (
  subresource: SubresourceOptions,
  scheme: Scheme,
  isOn: GatePredicate,
): boolean =>
  typeof subresource === 'string' ||
  (scheme.has(subresource) && (subresource.gate === undefined || isOn(subresource.gate)));

/** How objects of a resource are stored. */
export interface StorageOptions {
  /** apiVersion of the storage version. */
  readonly apiVersion?: string;
  /** Key prefix below `/registry/`; default: the name of the resource. */
  readonly prefix?: string;
  /** Default: protobuf. */
  readonly encoding?: 'json';
  /** Default: true. */
  readonly watchCache?: false;
}

interface RowOptions
  extends Pick<
    ResourceRow,
    'group' | 'version' | 'resource' | 'kind' | 'namespaced' | 'optional' | 'deprecationWarning'
  > {
  readonly life?: Life;
  readonly gate?: FeatureGate;
  readonly singular?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly fieldSelectors?: readonly string[];
  readonly verbs?: readonly Verb[];
  readonly subresources?: readonly SubresourceOptions[];
  readonly storage: StorageOptions & { readonly apiVersion: string };
}

/** Returns whether a resource with these verbs has a storage. */
export const isStored = (verbs: readonly Verb[] = ALL_VERBS): boolean =>
  verbs.includes('get') && verbs.includes('create');

/** Creates the row of a built-in resource in one version; omitted options have the general defaults. */
export function resourceRow(options: RowOptions): ResourceRow {
  const { group, version, resource, kind, verbs = ALL_VERBS } = options;
  return {
    group,
    version,
    resource,
    kind,
    verbs,
    listKind: options.listKind ?? `${kind}List`,
    singular: options.singular ?? kind.toLowerCase(),
    namespaced: options.namespaced,
    shortNames: options.shortNames ?? [],
    categories: options.categories ?? [],
    fieldSelectors: options.fieldSelectors ?? [],
    life: options.life ?? {},
    gate: options.gate,
    optional: options.optional,
    deprecationWarning: options.deprecationWarning,
    subresources: (options.subresources ?? []).map((subresource) => subresourceRow(subresource, kind)),
    storage: isStored(verbs) ? builtinStorage(options) : undefined,
  };
}

function subresourceRow(options: SubresourceOptions, ownKind: string): SubresourceRow {
  const {
    name,
    kind = ownKind,
    group,
    version,
    verbs = OBJECT_SUBRESOURCE_VERBS,
  } = typeof options === 'string' ? { name: options } : options;
  return { name, kind, group, version, verbs };
}

function builtinStorage({
  resource,
  kind,
  storage: { apiVersion, prefix = resource, encoding, watchCache },
}: RowOptions): StorageRow {
  const slash = apiVersion.indexOf('/');
  return storageRow(apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1), kind, {
    prefix,
    encoding: encoding ?? 'protobuf',
    watchCache: watchCache ?? true,
  });
}

/** Creates the storage of a resource from the storage version of its kind. */
export function storageRow(
  group: string,
  version: string,
  kind: string,
  {
    prefix,
    encoding,
    watchCache = true,
  }: Pick<StorageRow, 'prefix' | 'encoding'> & Partial<Pick<StorageRow, 'watchCache'>>,
): StorageRow {
  return {
    prefix,
    apiVersion: apiVersionOf(group, version),
    group,
    version,
    encoding,
    watchCache,
    get versionHash() {
      return storageVersionHash(group, version, kind);
    },
  };
}

function storageVersionHash(group: string, version: string, kind: string): string {
  return createHash('sha256')
    .update(`${group}/${version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
}
