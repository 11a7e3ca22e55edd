import type { StatefulSet } from '../../model/generated/apps-v1.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import { mayUse } from './claims.ts';

/** Calls back with the key of each set whose Pods may have waited for the removal of a claim. */
export function followClaims(
  sets: IndexedSource,
  claims: IndexedSource,
  removed: (set: string) => void,
): void {
  claims.onChange((_key, claim, previous) => {
    if (claim !== undefined) return;
    const { namespace = '', name = '' } = previous!.metadata();
    for (const [key, { object }] of sets.entries(namespace))
      if (mayUse(object as StatefulSet, name)) removed(key);
  });
}
