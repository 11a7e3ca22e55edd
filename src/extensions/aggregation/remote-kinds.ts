import type { RemoteKind, RemoteKinds } from '../../controllers/remote-kinds.ts';
import { apiVersionOf } from '../../model/object.ts';
import { type DiscoveryPriorities, preferredFirst } from './priorities.ts';
import type { RemoteDiscovery } from './remote-discovery.ts';
import type { RoutingTable } from './routing-table.ts';

/** The kinds of extension servers, for controllers. They are derived again after a change of discovery. */
export class DiscoveredKinds implements RemoteKinds {
  readonly #discovery: Pick<RemoteDiscovery, 'versions' | 'generation' | 'onChange'>;
  readonly #priorities: Pick<DiscoveryPriorities, 'compareVersions' | 'generation'>;
  readonly #routes: Pick<RoutingTable, 'find'>;
  #derived:
    | {
        readonly generation: string;
        readonly preferred: readonly RemoteKind[];
        readonly byKind: ReadonlyMap<string, RemoteKind>;
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

  preferred(): readonly RemoteKind[] {
    return this.#derive().preferred;
  }

  findKind(apiVersion: string, kind: string): RemoteKind | undefined {
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
    const versions = preferredFirst(this.#discovery.versions(), this.#priorities);
    const preferred = new Map<string, RemoteKind>();
    const byKind = new Map<string, RemoteKind>();
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
