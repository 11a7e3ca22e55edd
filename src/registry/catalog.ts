import type { ResourceRow } from './catalog-row.ts';
import { GROUP_ROWS, RESOURCE_ROWS } from './catalog-rows.ts';

export type { ResourceRow, StorageRow, SubresourceRow, Verb } from './catalog-row.ts';

export interface ServedGroup {
  readonly group: string;
  readonly versions: readonly string[];
}

/** Says which resources of the table are served. */
export type ServedPredicate = (row: ResourceRow) => boolean;

/** The served part of the resource table, with the look-ups that routing, discovery and RBAC need. */
export class Catalog {
  /** Groups in discovery order, without the core group. */
  readonly groups: readonly ServedGroup[];
  readonly resources: readonly ResourceRow[];
  readonly #byGroupVersion = new Map<string, Map<string, ResourceRow>>();
  readonly #byKind = new Map<string, ResourceRow>();

  /** @param isServed default: everything that is not optional */
  constructor(isServed: ServedPredicate = (row) => !row.optional) {
    this.resources = RESOURCE_ROWS.filter(isServed);
    for (const row of this.resources) {
      const key = `${row.group}/${row.version}`;
      let group = this.#byGroupVersion.get(key);
      if (group === undefined) {
        group = new Map();
        this.#byGroupVersion.set(key, group);
      }
      group.set(row.resource, row);
      this.#byKind.set(`${key}/${row.kind}`, row);
    }
    this.groups = GROUP_ROWS.map(({ group, versions }) => ({
      group,
      versions: versions.filter((version) => this.#byGroupVersion.has(`${group}/${version}`)),
    })).filter(({ versions }) => versions.length > 0);
  }

  find(group: string, version: string, resource: string): ResourceRow | undefined {
    return this.#byGroupVersion.get(`${group}/${version}`)?.get(resource);
  }

  findKind(group: string, version: string, kind: string): ResourceRow | undefined {
    return this.#byKind.get(`${group}/${version}/${kind}`);
  }

  /** Whether the group version is served at all. */
  hasGroupVersion(group: string, version: string): boolean {
    return this.#byGroupVersion.has(`${group}/${version}`);
  }

  hasGroup(group: string): boolean {
    return group === '' ? this.#byGroupVersion.has('/v1') : this.groups.some((one) => one.group === group);
  }

  resourcesOf(group: string, version: string): readonly ResourceRow[] {
    return [...(this.#byGroupVersion.get(`${group}/${version}`)?.values() ?? [])];
  }
}
