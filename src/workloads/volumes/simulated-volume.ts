import type {
  NodeSelectorRequirement,
  PersistentVolume,
  PersistentVolumeClaim,
} from '../../model/generated/core-v1.ts';
import type { StorageClass } from '../../model/generated/storage-v1.ts';
import type { SelectableNode } from '../../reconcile/nodes/node-selector.ts';
import {
  annotationOf,
  BOUND_BY_CONTROLLER,
  PROVISIONED_BY,
  SIMULATED_PROVISIONER,
  storageClassOf,
} from '../../reconcile/volumes/annotations.ts';
import { claimReference } from '../../reconcile/volumes/reserve-volume.ts';
import { driverOf } from './plugins.ts';

/** On a storage class with another provisioner: `true` has its volumes simulated. On a claim: `false` prevents it. */
const PROVISION = 'sim.binnacle.dev/provision';
/** On a claim: why no volume can be made for it. */
const PROVISION_ERROR = 'sim.binnacle.dev/provision-error';
/** On a volume: it was simulated, and its storage can be deleted. */
const PROVISIONED = 'sim.binnacle.dev/provisioned';
/** Keeps a volume until its storage is deleted; as that of the drivers of other clusters. */
export const DRIVER_FINALIZER = 'external-provisioner.volume.kubernetes.io/finalizer';

const LONGEST_MESSAGE = 1024;
/** Drivers are named like hosts. */
const LONGEST_DRIVER = 63;

/** Whether the volumes of a class are simulated for a claim. */
export const isSimulated = ({ metadata, provisioner }: StorageClass, claim: PersistentVolumeClaim): boolean =>
  (provisioner === SIMULATED_PROVISIONER || annotationOf(metadata, PROVISION) === 'true') &&
  annotationOf(claim.metadata, PROVISION) !== 'false';

/** Why no volume is to be made for a claim, as its annotation says; undefined if one is. */
export const simulatedError = ({ metadata }: PersistentVolumeClaim): string | undefined =>
  annotationOf(metadata, PROVISION_ERROR)?.slice(0, LONGEST_MESSAGE);

/** Whether a volume was simulated. */
export const isSimulatedVolume = ({ metadata }: PersistentVolume): boolean =>
  annotationOf(metadata, PROVISIONED) === 'true';

/** The name of the volume that is made for a claim: there is one at most. */
export const provisionedName = ({ metadata }: PersistentVolumeClaim): string => `pvc-${metadata?.uid ?? ''}`;

/**
 * The volume of a simulated driver for a claim. It can be used on every node, unless the class allows topologies: then
 * on those like the selected node, or of the first topology.
 * @param node the one that the scheduler selected
 */
export function simulatedVolume(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  node: SelectableNode | undefined,
): PersistentVolume {
  const { provisioner = '', reclaimPolicy = 'Delete', mountOptions } = storageClass;
  const { accessModes = [], resources, volumeMode, volumeAttributesClassName } = claim.spec ?? {};
  const name = provisionedName(claim);
  const topology = topologyOf(storageClass, node);
  return {
    metadata: {
      name,
      annotations: {
        [BOUND_BY_CONTROLLER]: 'yes',
        [PROVISIONED_BY]: provisioner,
        [PROVISIONED]: 'true',
      },
      ...(reclaimPolicy === 'Delete' && { finalizers: [DRIVER_FINALIZER] }),
    },
    spec: {
      accessModes: [...accessModes],
      capacity: { storage: resources?.requests?.['storage'] ?? '0' },
      claimRef: claimReference(claim),
      csi: { driver: driverName(provisioner), volumeHandle: name },
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: storageClassOf(claim),
      ...(mountOptions === undefined ? {} : { mountOptions }),
      ...(volumeMode === undefined ? {} : { volumeMode }),
      ...(volumeAttributesClassName === undefined ? {} : { volumeAttributesClassName }),
      ...(topology.length > 0 && {
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: topology }] } },
      }),
    },
  };
}

function driverName(provisioner: string): string {
  const driver = driverOf(provisioner) ?? provisioner;
  return driver.includes('/') || driver.length > LONGEST_DRIVER ? SIMULATED_PROVISIONER : driver;
}

function topologyOf(
  { allowedTopologies = [] }: StorageClass,
  node: SelectableNode | undefined,
): NodeSelectorRequirement[] {
  const labelOf = (key: string): string | undefined =>
    node !== undefined && Object.hasOwn(node.labels, key) ? node.labels[key] : undefined;
  const terms = allowedTopologies.map(({ matchLabelExpressions = [] }) => matchLabelExpressions);
  const fitting = terms.find((term) =>
    term.every(({ key = '', values = [] }) => values.includes(labelOf(key) ?? '')),
  );
  return (fitting ?? terms[0] ?? []).map(({ key = '', values = [] }) => ({
    key,
    operator: 'In',
    values: [fitting === undefined ? (values[0] ?? '') : labelOf(key)!],
  }));
}
