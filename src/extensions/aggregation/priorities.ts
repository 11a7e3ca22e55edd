import { defaultPriorities } from '../../bootstrap/api-services.ts';
import { compareVersions } from '../../kinds/version-priority.ts';
import type { RegisteredVersion } from './api-service.ts';

type Priorities = Pick<RegisteredVersion, 'group' | 'version' | 'groupPriorityMinimum' | 'versionPriority'>;

/** The group of APIServices has none itself; it comes first. */
const FIRST_GROUP = 'apiregistration.k8s.io';

/**
 * The order of groups and versions in discovery: groups by the highest minimum of their APIServices, then by
 * name; versions by their priority, then by version order.
 */
export class DiscoveryPriorities {
  readonly #byName = new Map<string, Priorities>();
  /** Registered versions by group. */
  readonly #groups = new Map<string, Map<string, Priorities>>();
  /** Increases when the order may have changed. */
  generation = 0;
  /** Increases when an APIService is added, changed or removed. */
  registrations = 0;

  /** Applies the change of an APIService; undefined when it has been removed. */
  set(name: string, registered: RegisteredVersion | undefined): void {
    const before = this.#byName.get(name);
    if (before !== undefined) this.#remove(name, before);
    if (registered !== undefined) this.#add(name, registered);
    const changed = registered ?? before;
    if (changed === undefined) return;
    this.registrations += 1;
    const left = before ?? unregistered(changed);
    const right = registered ?? unregistered(changed);
    if (
      left.groupPriorityMinimum !== right.groupPriorityMinimum ||
      left.versionPriority !== right.versionPriority
    )
      this.generation += 1;
  }

  /** Compares two groups for discovery. */
  compareGroups = (left: string, right: string): number => {
    if (left === FIRST_GROUP || right === FIRST_GROUP)
      return Number(right === FIRST_GROUP) - Number(left === FIRST_GROUP);
    return this.#groupPriority(right) - this.#groupPriority(left) || (left < right ? -1 : 1);
  };

  /** Compares two versions of a group; the first one is preferred. */
  compareVersions(group: string, left: string, right: string): number {
    const priority = (version: string): number =>
      (this.#groups.get(group)?.get(version) ?? unregistered({ group, version })).versionPriority;
    return priority(right) - priority(left) || compareVersions(left, right);
  }

  /** The versions of a group that have an APIService. */
  versionsOf = (group: string): readonly string[] => [...(this.#groups.get(group)?.keys() ?? [])];

  #groupPriority(group: string): number {
    const versions = this.#groups.get(group);
    if (versions === undefined) return unregistered({ group, version: '' }).groupPriorityMinimum;
    let highest = 0;
    for (const { groupPriorityMinimum } of versions.values())
      highest = Math.max(highest, groupPriorityMinimum);
    return highest;
  }

  #add(name: string, registered: Priorities): void {
    const { group, version, groupPriorityMinimum, versionPriority } = registered;
    const priorities = { group, version, groupPriorityMinimum, versionPriority };
    this.#byName.set(name, priorities);
    const versions = this.#groups.get(group);
    if (versions === undefined) this.#groups.set(group, new Map([[version, priorities]]));
    else versions.set(version, priorities);
  }

  #remove(name: string, { group, version }: Priorities): void {
    this.#byName.delete(name);
    const versions = this.#groups.get(group);
    versions?.delete(version);
    if (versions?.size === 0) this.#groups.delete(group);
  }
}

/** The priorities of a version whose APIService does not exist, or not yet. */
const unregistered = ({
  group,
  version,
}: {
  readonly group: string;
  readonly version: string;
}): Priorities => ({
  group,
  version,
  ...defaultPriorities(group, version),
});

/** Sorts versions by group; those of a group begin with the preferred one. */
export const preferredFirst = <One extends Pick<RegisteredVersion, 'group' | 'version'>>(
  versions: Iterable<One>,
  priorities: Pick<DiscoveryPriorities, 'compareVersions'>,
): One[] =>
  [...versions].sort((left, right) =>
    left.group === right.group
      ? priorities.compareVersions(left.group, left.version, right.version)
      : left.group < right.group
        ? -1
        : 1,
  );
