import type { PodSpec, Volume } from '../../model/generated/core-v1.ts';

/** A disk that pods of one node cannot share freely. */
export interface ConflictingDisk {
  readonly kind: 'gce' | 'aws' | 'iscsi' | 'rbd';
  /** The same for the same disk; of RBD images without the monitors. */
  readonly id: string;
  /** Of RBD images: two are the same if they share one. */
  readonly monitors: readonly string[];
  /** All users may share it if each only reads. */
  readonly isReadOnly: boolean;
}

const NONE: readonly ConflictingDisk[] = [];

/** The disks of the volumes of a pod that may conflict with those of others. */
export function conflictingDisks({ volumes = [] }: PodSpec): readonly ConflictingDisk[] {
  let found: ConflictingDisk[] | undefined;
  for (const volume of volumes)
    for (const disk of disksOf(volume)) {
      found ??= [];
      found.push(disk);
    }
  return found ?? NONE;
}

function* disksOf(volume: Volume): Generator<ConflictingDisk, void> {
  const { gcePersistentDisk: gce, awsElasticBlockStore: aws, iscsi, rbd } = volume;
  if (gce !== undefined) yield disk('gce', gce.pdName, gce.readOnly);
  // A volume of AWS is never shared, not even to read.
  if (aws !== undefined) yield disk('aws', aws.volumeID, false);
  if (iscsi !== undefined) yield disk('iscsi', iscsi.iqn, iscsi.readOnly);
  if (rbd !== undefined)
    yield disk('rbd', JSON.stringify([rbd.pool ?? '', rbd.image ?? '']), rbd.readOnly, rbd.monitors);
}

const disk = (
  kind: ConflictingDisk['kind'],
  id: string | undefined,
  isReadOnly = false,
  monitors: readonly string[] = [],
): ConflictingDisk => ({ kind, id: id ?? '', monitors, isReadOnly });

/** Whether two pods that use these disks cannot share a node. */
export function disksConflict(left: ConflictingDisk, right: ConflictingDisk): boolean {
  if (left.kind !== right.kind || left.id !== right.id) return false;
  if (left.isReadOnly && right.isReadOnly) return false;
  return left.kind !== 'rbd' || left.monitors.some((monitor) => right.monitors.includes(monitor));
}
