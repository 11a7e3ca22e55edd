import type { PersistentVolume, PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import { hasAccessModesOf, matchingVolume } from '../../reconcile/volumes/matching-volume.ts';

/**
 * The volume that a claim is bound to: of those with the fewest access modes that suffice, one that is reserved for the
 * claim, else the smallest that is large enough.
 * @param candidates volumes that are reserved for the claim, and free ones of its class
 * @param onlyReserved the scheduler chooses among free volumes
 */
export function bestVolume(
  claim: PersistentVolumeClaim,
  candidates: Iterable<PersistentVolume>,
  onlyReserved: boolean,
): PersistentVolume | undefined {
  const groups = new Map<string, PersistentVolume[]>();
  for (const volume of candidates) {
    if (!hasAccessModesOf(volume, claim)) continue;
    const key = [...new Set(volume.spec?.accessModes)].sort().join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [volume]);
    else group.push(volume);
  }
  const keys = [...groups.keys()].sort(
    (left, right) => modeCount(left) - modeCount(right) || (left < right ? -1 : 1),
  );
  for (const key of keys) {
    const volume = matchingVolume(claim, groups.get(key)!, { onlyReserved });
    if (volume !== undefined) return volume;
  }
  return undefined;
}

const modeCount = (key: string): number => (key === '' ? 0 : key.split(',').length);
