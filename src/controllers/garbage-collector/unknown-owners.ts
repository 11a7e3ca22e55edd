import { BoundedMap } from '../../collections/bounded-map.ts';
import type { OwnerReference } from '../../model/object.ts';
import type { Logger } from '../../observability/log.ts';
import type { ObservedObject } from './objects.ts';

/** Uids of deleted objects that are remembered: about 10 MB. */
const REMEMBERED_DELETIONS = 100_000;

/**
 * Keeps the dependents of owners that the server has never stored, as tests make them up. An absent owner is
 * known only if its deletion was observed. The first one that is not known is logged.
 */
export class UnknownOwners {
  readonly #logger: Logger;
  readonly #deleted = new BoundedMap<string, true>(REMEMBERED_DELETIONS);
  #warned = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Remembers a deleted object: its dependents are collected. */
  noteDeletion({ uid }: ObservedObject): void {
    this.#deleted.set(uid, true);
  }

  /** Whether a dependent of an absent owner is kept. */
  keeps(dependent: ObservedObject, { apiVersion, kind, name, uid }: OwnerReference): boolean {
    if (this.#deleted.get(uid) !== undefined) return false;
    if (!this.#warned) {
      this.#warned = true;
      const { namespace } = dependent;
      this.#logger.warn(
        'object kept: its owner was never stored here, so kube-controller-manager would delete the object; other such objects are kept without a warning',
        {
          object: `${dependent.kind.resource.kind} ${namespace === '' ? '' : `${namespace}/`}${dependent.name}`,
          owner: `${apiVersion} ${kind} ${name}`,
          uid,
        },
      );
    }
    return true;
  }
}
