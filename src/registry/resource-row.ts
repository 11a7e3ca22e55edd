import { createHash } from 'node:crypto';

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
  /** A custom resource, whose requests are routed by their verb instead of fixed paths. */
  readonly custom?: true;
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
  /** Base64 of the first 8 bytes of SHA-256 of `group/version/kind` of the storage version. */
  readonly versionHash: string;
}

interface RowOptions {
  shortNames?: string[];
  categories?: string[];
  cluster?: true;
  verbs?: Verb[];
  singular?: string;
  listKind?: string;
  storage?: string;
  prefix?: string;
  encoding?: 'json';
  optional?: true;
  deprecationWarning?: string;
  fieldSelectors?: string[];
  subresources?: (
    | string
    | { name: string; kind?: string; group?: string; version?: string; verbs: Verb[] }
  )[];
}

/** Creates a row; omitted options have the general defaults. */
export function resource(
  group: string,
  version: string,
  name: string,
  kind: string,
  options: RowOptions = {},
): ResourceRow {
  const verbs = options.verbs ?? ALL_VERBS;
  return {
    group,
    version,
    resource: name,
    kind,
    verbs,
    listKind: options.listKind ?? `${kind}List`,
    singular: options.singular ?? kind.toLowerCase(),
    namespaced: options.cluster !== true,
    shortNames: options.shortNames ?? [],
    categories: options.categories ?? [],
    fieldSelectors: options.fieldSelectors ?? [],
    optional: options.optional === true,
    deprecationWarning: options.deprecationWarning,
    subresources: (options.subresources ?? []).map((subresource) =>
      typeof subresource === 'string'
        ? { name: subresource, kind, group: undefined, version: undefined, verbs: OBJECT_SUBRESOURCE_VERBS }
        : {
            name: subresource.name,
            kind: subresource.kind ?? kind,
            group: subresource.group,
            version: subresource.version,
            verbs: subresource.verbs,
          },
    ),
    storage:
      verbs.includes('get') && verbs.includes('create')
        ? builtinStorage(group, version, name, kind, options)
        : undefined,
  };
}

function builtinStorage(
  group: string,
  version: string,
  name: string,
  kind: string,
  { storage, prefix = name, encoding }: RowOptions,
): StorageRow {
  const apiVersion = storage ?? (group === '' ? version : `${group}/${version}`);
  const slash = apiVersion.indexOf('/');
  return storageRow(apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1), kind, {
    prefix,
    encoding: encoding ?? 'protobuf',
  });
}

/** Creates the storage of a resource from the storage version of its kind. */
export function storageRow(
  group: string,
  version: string,
  kind: string,
  { prefix, encoding }: Pick<StorageRow, 'prefix' | 'encoding'>,
): StorageRow {
  return {
    prefix,
    apiVersion: group === '' ? version : `${group}/${version}`,
    group,
    version,
    encoding,
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
