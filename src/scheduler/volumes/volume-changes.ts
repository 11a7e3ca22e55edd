import type { PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import { SELECTED_NODE, withAnnotations } from '../../reconcile/volumes/annotations.ts';
import { reserveVolume } from '../../reconcile/volumes/reserve-volume.ts';
import type { VolumePlan } from './volume-plan.ts';

/** The plan with the objects as they are to be written. The controller that binds volumes does the rest. */
export const changedObjects = ({ bindings, provisioned }: VolumePlan, node: string): VolumePlan => ({
  bindings: bindings.map(({ volume, claim }) => ({ claim, volume: reserveVolume(volume, claim) })),
  provisioned: provisioned.map((claim) => withNode(claim, node)),
});

/** A claim whose driver is to make a volume for a node. */
const withNode = (claim: PersistentVolumeClaim, node: string): PersistentVolumeClaim =>
  withAnnotations(claim, { [SELECTED_NODE]: node });
