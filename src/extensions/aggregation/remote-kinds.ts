import { apiVersionOf } from '../../model/object.ts';
import type { DiscoveryPriorities } from './priorities.ts';
import type { RemoteDiscovery } from './remote-discovery.ts';
import type { RoutingTable } from './routing-table.ts';

/** A resource of an extension server, in its preferred version. */
export interface DiscoveredKind {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** The kinds of extension servers, for controllers. They are derived again after a change of discovery. */
export class DiscoveredKinds {
  readonly #discovery: Pick<RemoteDiscovery, 'versions' | 'generation' | 'onChange'>;
  readonly #priorities: Pick<DiscoveryPriorities, 'compareVersions' | 'generation'>;
  readonly #routes: Pick<RoutingTable, 'find'>;
  #derived:
    | {
        readonly generation: string;
        readonly preferred: readonly DiscoveredKind[];
        readonly byKind: ReadonlyMap<string, DiscoveredKind>;
      }
    | undefined;

  constructor(
    discovery: Pick<RemoteDiscovery, 'versions' | 'generation' | 'onChange'>,
    priorities: Pick<DiscoveryPriorities, 'compareVersions' | 'generation'>,
    routes: Pick<RoutingTable, 'find'>,
  ) {
    this.#discovery = discovery;
    this.#priorities = priorities;
    this.#routes = routes;
  }

  preferred(): readonly DiscoveredKind[] {
    return this.#derive().preferred;
  }

  findKind(apiVersion: string, kind: string): DiscoveredKind | undefined {
    return this.#derive().byKind.get(`${apiVersion} ${kind}`);
  }

  isRemote(group: string, version: string): boolean {
    return this.#routes.find(group, version) !== undefined;
  }

  onChange(listener: () => void): () => void {
    return this.#discovery.onChange(listener);
  }

  #derive() {
    const generation = `${this.#discovery.generation} ${this.#priorities.generation}`;
    if (this.#derived?.generation === generation) return this.#derived;
    const versions = [...this.#discovery.versions()].sort((left, right) =>
      left.group === right.group
        ? this.#priorities.compareVersions(left.group, left.version, right.version)
        : left.group < right.group
          ? -1
          : 1,
    );
    const preferred = new Map<string, DiscoveredKind>();
    const byKind = new Map<string, DiscoveredKind>();
    for (const { group, version, resources = [] } of versions)
      for (const { resource, scope, verbs, responseKind } of resources) {
        const kind = responseKind?.kind ?? '';
        if (resource === '' || kind === '') continue;
        const key = `${group}/${resource}`;
        const found = preferred.get(key) ?? {
          group,
          version,
          resource,
          kind,
          verbs,
          namespaced: scope === 'Namespaced',
        };
        preferred.set(key, found);
        const name = `${apiVersionOf(group, version)} ${kind}`;
        if (!byKind.has(name)) byKind.set(name, found);
      }
    this.#derived = { generation, preferred: [...preferred.values()], byKind };
    return this.#derived;
  }
}
