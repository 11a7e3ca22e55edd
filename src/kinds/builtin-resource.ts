import type { FeatureGate } from '../model/feature-gates.ts';
import { isAlive, type Life, minorBefore } from '../model/life.ts';
import { apiVersionOf, type KubernetesObject } from '../model/object.ts';
import type { RuleContext } from '../model/rule-context.ts';
import type { Scheme } from '../model/scheme.ts';
import type { Attributes } from '../request/attributes.ts';
import type { ServiceAddresses } from './core/services/service-addresses.ts';
import { type Deprecation, deprecationWarning } from './deprecation.ts';
import {
  type GatePredicate,
  isStored,
  isSubresourceServed,
  type ResourceRow,
  resourceRow,
  type StorageOptions,
  type SubresourceOptions,
  type Verb,
} from './resource-row.ts';
import type { FieldSelectors, Strategy, StrategyContext } from './strategy.ts';
import type { TableDefinition } from './table.ts';
import { DEFAULT_TABLE } from './tables/define.ts';
import { isStable } from './version-priority.ts';

/** What the strategies of built-in resources need from other parts of the server. */
export interface BuiltinDependencies extends RuleContext {
  /** Allocates the addresses and node ports of Services. */
  readonly allocator: ServiceAddresses;
  /** Time to live of an event in the store, in seconds. */
  readonly eventSeconds: number;
  /** Returns whether the authorizers of the server allow an access. */
  isAllowed(attributes: Attributes): Promise<boolean>;
  /**
   * Denies a role or binding that grants more than the user has.
   * @param kind Role, ClusterRole, RoleBinding or ClusterRoleBinding
   * @param old the object before an update; undefined for a new one
   * @throws ApiError
   */
  checkEscalation(
    kind: string,
    object: KubernetesObject,
    old: KubernetesObject | undefined,
    context: StrategyContext,
  ): Promise<void>;
}

/** A version of a kind, with the releases that have it. */
export interface VersionOptions extends Life {
  readonly name: string;
  /** Objects are stored in it from its first release on, though the release before cannot read it. */
  readonly isStoredAtOnce?: boolean;
  readonly deprecation?: Deprecation;
}

/** Declaration of a built-in resource; see {@link defineResource}. */
export interface ResourceOptions extends Life {
  readonly group: string;
  /**
   * Versions, the preferred one first; a name alone is a version of every release. Alpha and beta versions are
   * served only when `--runtime-config` enables them. A release that has none of them does not have the resource.
   */
  readonly versions: readonly (string | VersionOptions)[];
  readonly resource: string;
  readonly kind: string;
  /** The feature gate without which it is not served. */
  readonly gate?: FeatureGate;
  /** Default: the kind in lower case. */
  readonly singular?: string;
  /** Default: the kind with `List` appended. */
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Default: Namespaced. */
  readonly scope?: 'Cluster' | 'Namespaced';
  /** Default: all verbs. A resource without `get` and `create` is virtual: it has no storage. */
  readonly verbs?: readonly Verb[];
  readonly subresources?: readonly SubresourceOptions[];
  /**
   * Default: below the name of the resource, as protobuf, in the most preferred version that the release before has,
   * too, so that objects can be read by it; without one in the most preferred version.
   */
  readonly storage?: StorageOptions;
  /** Behaviour: defaulting, validation, conversions. Default: the general rules. */
  readonly strategy?: Strategy | ((dependencies: BuiltinDependencies) => Strategy);
  readonly fieldSelectors?: FieldSelectors;
  /** Default: name and creation time. */
  readonly table?: TableDefinition;
}

/** A built-in resource in all its versions. */
export interface BuiltinResource {
  readonly group: string;
  readonly resource: string;
  /** The prefix of its keys below `/registry/`; undefined for a virtual resource. */
  readonly storagePrefix: string | undefined;
  /**
   * A row per version that a release has, the preferred one first.
   * @param isOn the feature gates; default: those of the release
   */
  rowsIn(scheme: Scheme, isOn?: GatePredicate): readonly ResourceRow[];
  readonly fieldSelectors: FieldSelectors;
  /** With the columns of every release ({@link tableIn}). */
  readonly table: TableDefinition;
  /** Creates the strategy of the resource. */
  strategy(dependencies: BuiltinDependencies): Strategy;
}

const GENERAL_RULES: Strategy = {};

/**
 * Declares a built-in resource: everything about its kind except its type (`src/model/types/`). The index of
 * its group lists it; discovery, routing, authorization, storage and OpenAPI derive from it.
 */
export function defineResource(options: ResourceOptions): BuiltinResource {
  const { group, resource, strategy = GENERAL_RULES, fieldSelectors = {} } = options;
  return {
    group,
    resource,
    storagePrefix: isStored(options.verbs) ? (options.storage?.prefix ?? resource) : undefined,
    rowsIn: (scheme, isOn = scheme.isOnByDefault) => rowsOf(options, scheme, isOn),
    fieldSelectors,
    table: options.table ?? DEFAULT_TABLE,
    strategy: typeof strategy === 'function' ? strategy : () => strategy,
  };
}

function rowsOf(options: ResourceOptions, scheme: Scheme, isOn: GatePredicate): ResourceRow[] {
  if (!scheme.has(options)) return [];
  const versions = scheme.select(
    options.versions.map((version) => (typeof version === 'string' ? { name: version } : version)),
  );
  const subresources = options.subresources?.filter((one) => isSubresourceServed(one, scheme, isOn));
  const stored = storageVersion(versions, scheme);
  return versions.map((version) => rowOf({ ...options, subresources }, version, stored, scheme));
}

/** The version in which a release stores objects: a server of the release before can read it. */
function storageVersion(versions: readonly VersionOptions[], { minor }: Scheme): string | undefined {
  const before = minorBefore(minor);
  const isReadBefore = (version: VersionOptions): boolean =>
    version.isStoredAtOnce === true || before === undefined || isAlive({ since: version.since }, before);
  return (versions.find(isReadBefore) ?? versions[0])?.name;
}

function rowOf(
  options: ResourceOptions,
  { name, deprecation, since, until }: VersionOptions,
  stored: string | undefined,
  scheme: Scheme,
): ResourceRow {
  const { group, kind, storage, scope, fieldSelectors = {} } = options;
  return resourceRow({
    ...options,
    version: name,
    life: { since: since ?? options.since, until: until ?? options.until },
    namespaced: scope !== 'Cluster',
    fieldSelectors: Object.keys(fieldSelectors),
    optional: !isStable(name),
    deprecationWarning:
      deprecation && deprecationWarning(apiVersionOf(group, name), kind, deprecation, scheme),
    storage: { apiVersion: apiVersionOf(group, stored ?? name), ...storage },
  });
}

/** The `scale` subresource of a workload. */
export const SCALE: SubresourceOptions = {
  name: 'scale',
  kind: 'Scale',
  group: 'autoscaling',
  version: 'v1',
  verbs: ['get', 'patch', 'update'],
};
