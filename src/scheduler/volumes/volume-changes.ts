import type { PersistentVolume, PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import type { VolumeBinding, VolumePlan } from './volume-plan.ts';
import { SELECTED_NODE } from './volume-plan.ts';

const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';

/** The plan with the objects as they are to be written. */
export const changedObjects = ({ bindings, provisioned }: VolumePlan, node: string): VolumePlan => ({
  bindings: bindings.map((binding) => ({ ...binding, volume: boundTo(binding) })),
  provisioned: provisioned.map((claim) => withNode(claim, node)),
});

/** A volume that is reserved for a claim. The controller that binds volumes does the rest. */
function boundTo({ volume, claim }: VolumeBinding): PersistentVolume {
  const { namespace, name, uid, resourceVersion } = claim.metadata ?? {};
  const isChosenByUser = volume.spec?.claimRef !== undefined;
  return {
    ...volume,
    metadata: {
      ...volume.metadata,
      ...(!isChosenByUser && {
        annotations: { ...volume.metadata?.annotations, [BOUND_BY_CONTROLLER]: 'yes' },
      }),
    },
    spec: {
      ...volume.spec,
      claimRef: { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid, resourceVersion },
    },
  };
}

/** A claim whose driver is to make a volume for a node. */
const withNode = (claim: PersistentVolumeClaim, node: string): PersistentVolumeClaim => ({
  ...claim,
  metadata: { ...claim.metadata, annotations: { ...claim.metadata?.annotations, [SELECTED_NODE]: node } },
});
