import type { KubernetesObject, ObjectMeta } from '../model/object.ts';
import type { IndexedSource, SourceObject } from '../reader/object-source.ts';
import { BY_CONTROLLER, controllerOf, ORPHANS } from './indexes.ts';

/** The objects that an owner may claim: its own, and those of its namespace that nobody controls. */
export function* candidates(
  source: IndexedSource,
  { metadata = {} }: KubernetesObject,
): Generator<SourceObject> {
  const { namespace = '', uid = '' } = metadata;
  for (const [, object] of source.find(BY_CONTROLLER, uid)) yield object;
  for (const [, object] of source.find(ORPHANS, namespace)) yield object;
}

/** The objects that an owner controls, those that it selects. With the own writes. */
export function controlled<Owner extends KubernetesObject, Owned extends KubernetesObject>(
  source: IndexedSource,
  owner: Owner,
  selects: (owner: Owner, owned: Owned) => boolean,
): Owned[] {
  const found: Owned[] = [];
  for (const [, { object }] of source.find(BY_CONTROLLER, owner.metadata?.uid ?? ''))
    if (selects(owner, object as Owned)) found.push(object as Owned);
  return found;
}

export interface OwnedOptions {
  readonly owners: IndexedSource;
  /** Kind of the owners. */
  readonly kind: string;
  readonly owned: IndexedSource;
  /** Whether an owner selects an object. */
  readonly selects: (owner: SourceObject, metadata: ObjectMeta) => boolean;
  /** Called with the key of each owner that a change concerns. */
  readonly changed: (
    owner: string,
    current: SourceObject | undefined,
    previous: SourceObject | undefined,
  ) => void;
}

/**
 * Follows objects for their owners: each change concerns the owner that controls the object or has done so, and one of
 * an object without controller those that could adopt it.
 */
export function followOwned({ owners, kind, owned, selects, changed }: OwnedOptions): void {
  const ownerKey = (metadata: ObjectMeta | undefined): string | undefined => {
    const reference = metadata && controllerOf(metadata);
    return reference?.kind === kind ? `${metadata!.namespace}/${reference.name}` : undefined;
  };
  owned.onChange((_key, current, previous) => {
    const now = current?.metadata();
    const before = previous?.metadata();
    const [owner, formerOwner] = [ownerKey(now), ownerKey(before)];
    if (formerOwner !== undefined && formerOwner !== owner) changed(formerOwner, current, previous);
    if (owner !== undefined) changed(owner, current, previous);
    else if (now !== undefined && controllerOf(now) === undefined && mayBeAdopted(now, before))
      for (const [key, candidate] of owners.entries(now.namespace))
        if (selects(candidate, now)) changed(key, current, previous);
  });
}

/** Whether nobody has looked at an object in its present form to adopt it. */
function mayBeAdopted(now: ObjectMeta, before: ObjectMeta | undefined): boolean {
  if (now.deletionTimestamp !== undefined) return false;
  if (before === undefined || controllerOf(before) !== undefined) return true;
  const [labels = {}, former = {}] = [now.labels, before.labels];
  const names = Object.keys(labels);
  return names.length !== Object.keys(former).length || names.some((name) => labels[name] !== former[name]);
}
