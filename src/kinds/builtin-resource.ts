import { apiVersionOf, type KubernetesObject } from '../model/object.ts';
import type { ServiceAddresses } from './core/services/service-addresses.ts';
import {
  type GatePredicate,
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
export interface BuiltinDependencies {
  /** Allocates the addresses and node ports of Services. */
  readonly allocator: ServiceAddresses;
  /** Time to live of an event in the store, in seconds. */
  readonly eventSeconds: number;
  readonly isOn: GatePredicate;
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

/** Declaration of a built-in resource; see {@link defineResource}. */
export interface ResourceOptions {
  readonly group: string;
  /**
   * Versions, the preferred one first. Alpha and beta versions are served only when `--runtime-config`
   * enables them.
   */
  readonly versions: readonly string[];
  readonly resource: string;
  readonly kind: string;
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
  /** Default: below the name of the resource, in the first version, as protobuf. */
  readonly storage?: StorageOptions;
  /** Warnings in the response to every request, by version. */
  readonly deprecationWarnings?: Readonly<Record<string, string>>;
  /** Behaviour: defaulting, validation, conversions. Default: the general rules. */
  readonly strategy?: Strategy | ((dependencies: BuiltinDependencies) => Strategy);
  readonly fieldSelectors?: FieldSelectors;
  /** Default: name and creation time. */
  readonly table?: TableDefinition;
  /**
   * Texts of `kubectl explain` for the kind and the types that it alone has, by type (`LeaseSpec`) or field
   * (`LeaseSpec.holderIdentity`). Types that kinds share are in `src/openapi/descriptions/`.
   */
  readonly descriptions?: Readonly<Record<string, string>>;
}

/** A built-in resource in all its versions. */
export interface BuiltinResource {
  readonly group: string;
  readonly resource: string;
  /** A row per version, the preferred one first, without the subresources of feature gates. */
  readonly rows: readonly ResourceRow[];
  /** Returns {@link rows} with the subresources of the feature gates that are on. */
  rowsWith(isOn: GatePredicate): readonly ResourceRow[];
  readonly fieldSelectors: FieldSelectors;
  readonly table: TableDefinition;
  readonly descriptions: Readonly<Record<string, string>>;
  /** Creates the strategy of the resource. */
  strategy(dependencies: BuiltinDependencies): Strategy;
}

const GENERAL_RULES: Strategy = {};

/**
 * Declares a built-in resource: everything about its kind except its type (`src/model/types/`). The index of
 * its group lists it; discovery, routing, authorization, storage and OpenAPI derive from it.
 */
export function defineResource(options: ResourceOptions): BuiltinResource {
  const { group, resource, strategy = GENERAL_RULES, fieldSelectors = {}, subresources = [] } = options;
  const rows = rowsOf(options, () => false);
  return {
    group,
    resource,
    rows,
    rowsWith: (isOn) =>
      rows[0]!.subresources.length === subresources.filter((one) => isSubresourceServed(one, isOn)).length
        ? rows
        : rowsOf(options, isOn),
    fieldSelectors,
    table: options.table ?? DEFAULT_TABLE,
    descriptions: options.descriptions ?? {},
    strategy: typeof strategy === 'function' ? strategy : () => strategy,
  };
}

function rowsOf(options: ResourceOptions, isOn: GatePredicate): ResourceRow[] {
  const subresources = options.subresources?.filter((one) => isSubresourceServed(one, isOn));
  return options.versions.map((version) => rowOf({ ...options, subresources }, version));
}

function rowOf(options: ResourceOptions, version: string): ResourceRow {
  const { group, versions, storage, scope, fieldSelectors = {}, deprecationWarnings = {} } = options;
  const first = apiVersionOf(group, versions[0]!);
  return resourceRow({
    ...options,
    version,
    namespaced: scope !== 'Cluster',
    fieldSelectors: Object.keys(fieldSelectors),
    optional: !isStable(version),
    deprecationWarning: deprecationWarnings[version],
    storage: { apiVersion: first, ...storage },
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
