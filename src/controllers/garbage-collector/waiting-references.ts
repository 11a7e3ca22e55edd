import type { OwnerReference } from '../../model/object.ts';

/** The objects that wait for one kind. */
interface WaitingForKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly uids: Set<string>;
}

/** Objects whose examination waits until the kind of an owner is served. */
export class WaitingReferences {
  readonly #kindOf = new Map<string, string>();
  readonly #byKind = new Map<string, WaitingForKind>();

  /** Number of waiting objects. */
  get size(): number {
    return this.#kindOf.size;
  }

  /** An object waits for one kind at a time. @param uid of the object to examine */
  add(uid: string, { apiVersion, kind }: OwnerReference): void {
    this.delete(uid);
    const key = `${apiVersion} ${kind}`;
    this.#kindOf.set(uid, key);
    const waiting = this.#byKind.get(key);
    if (waiting === undefined) this.#byKind.set(key, { apiVersion, kind, uids: new Set([uid]) });
    else waiting.uids.add(uid);
  }

  delete(uid: string): void {
    const key = this.#kindOf.get(uid);
    if (key === undefined) return;
    this.#kindOf.delete(uid);
    const { uids } = this.#byKind.get(key)!;
    uids.delete(uid);
    if (uids.size === 0) this.#byKind.delete(key);
  }

  /** Removes and returns the objects that wait for kinds that are now known. */
  take(isKnown: (apiVersion: string, kind: string) => boolean): string[] {
    const known = [...this.#byKind.values()].filter(({ apiVersion, kind }) => isKnown(apiVersion, kind));
    const taken = known.flatMap(({ uids }) => [...uids]);
    for (const uid of taken) this.delete(uid);
    return taken;
  }
}
