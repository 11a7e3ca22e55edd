import { isConditionTrue } from '../../../model/conditions.ts';
import type { CustomResourceDefinitionNames } from '../../../model/generated/apiextensions-v1.ts';
import type { Definition } from './definition.ts';
import { sameNames, type UsedNames } from './names.ts';

/** The names of the built-in resources of a group. */
export type BuiltInNames = (group: string) => readonly CustomResourceDefinitionNames[];

/** Counts how often a name is in use. */
class NameCounts {
  readonly #counts = new Map<string, number>();

  add(name: string | undefined, change: 1 | -1): void {
    if (name === undefined || name === '') return;
    const count = (this.#counts.get(name) ?? 0) + change;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }

  has(name: string): boolean {
    return this.#counts.has(name);
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }
}

/** The names in use in one group, and the definitions that wait for names. */
class GroupNames implements UsedNames {
  readonly #resources = new NameCounts();
  readonly #kinds = new NameCounts();
  readonly waiting = new Set<string>();

  hasResource(name: string): boolean {
    return this.#resources.has(name);
  }

  hasKind(name: string): boolean {
    return this.#kinds.has(name);
  }

  add({ plural, singular, shortNames, kind, listKind }: CustomResourceDefinitionNames, change: 1 | -1): void {
    for (const name of [plural, singular, ...(shortNames ?? [])]) this.#resources.add(name, change);
    for (const name of [kind, listKind]) this.#kinds.add(name, change);
  }

  get isEmpty(): boolean {
    return this.waiting.size === 0 && this.#resources.isEmpty && this.#kinds.isEmpty;
  }
}

/** Index of the accepted names of all definitions; the cost of a change does not depend on their number. */
export class NameIndex {
  readonly #groups = new Map<string, GroupNames>();
  readonly #builtIn: BuiltInNames;

  constructor(builtIn: BuiltInNames) {
    this.#builtIn = builtIn;
  }

  /** The names in use in a group. */
  used(group: string): UsedNames {
    return this.#groups.get(group) ?? this.#create(group);
  }

  /** Replaces the names of a definition. @param previous undefined for a new definition */
  change(name: string, current: Definition | undefined, previous: Definition | undefined): void {
    // Most changes are of other fields, and a definition may have very many names.
    const isSame =
      current !== undefined &&
      previous !== undefined &&
      current.group === previous.group &&
      sameNames(current.status.acceptedNames, previous.status.acceptedNames);
    if (previous !== undefined && !isSame) this.#count(name, previous, -1);
    if (current !== undefined && !isSame) this.#count(name, current, 1);
    if (isSame) this.#wait(this.#groups.get(current.group)!, name, current.status);
  }

  /** The definitions of a group that have not got all their names. */
  waiting(group: string): Iterable<string> {
    return [...(this.#groups.get(group)?.waiting ?? [])];
  }

  #count(name: string, { group, status }: Definition, change: 1 | -1): void {
    let names = this.#groups.get(group);
    if (names === undefined) {
      names = this.#create(group);
      this.#groups.set(group, names);
    }
    names.add(status.acceptedNames ?? {}, change);
    if (change === 1) this.#wait(names, name, status);
    else names.waiting.delete(name);
    if (names.isEmpty) this.#groups.delete(group);
  }

  #wait({ waiting }: GroupNames, name: string, { conditions }: Definition['status']): void {
    if (isConditionTrue(conditions, 'NamesAccepted')) waiting.delete(name);
    else waiting.add(name);
  }

  #create(group: string): GroupNames {
    const names = new GroupNames();
    for (const builtIn of this.#builtIn(group)) names.add(builtIn, 1);
    return names;
  }
}
