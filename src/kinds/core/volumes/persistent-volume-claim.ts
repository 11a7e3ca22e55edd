import { findDelimitedField } from '../../../codec/protobuf-fields.ts';
import { STORAGE_CLASS_ANNOTATION } from '../../../model/annotations.ts';
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimStatus,
} from '../../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { defineResource } from '../../builtin-resource.ts';
import { dropGatedFields, type GatedField } from '../../gated-fields.ts';
import type { Strategy } from '../../strategy.ts';
import { roundResourceList } from '../../validation/quantities.ts';
import {
  fractionalByteWarnings,
  VOLUME_ATTRIBUTES_CLASS,
  validateClaim,
  validateClaimStatus,
  validateClaimUpdate,
} from './persistent-volume-claim-validation.ts';
import { setClaimSpecDefaults } from './volume-defaults.ts';
import { persistentVolumeClaimTable } from './volume-tables.ts';

function defaultClaim(object: KubernetesObject): void {
  const claim = object as PersistentVolumeClaim;
  claim.status ??= {};
  claim.status.phase ||= 'Pending';
  claim.spec ??= {};
  setClaimSpecDefaults(claim.spec);
  roundResourceList(claim.status.capacity);
  roundResourceList(claim.status.allocatedResources);
}

/**
 * Copies `dataSource` and `dataSourceRef` into each other. A new `dataSource` alone is dropped unless it has
 * one of its two original kinds; when `dataSourceRef` is set too, validation reports a mismatch.
 */
function normalizeDataSources(
  spec: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaimSpec | undefined,
): void {
  const isFirst =
    old?.dataSource === undefined && old?.dataSourceRef === undefined && spec.dataSourceRef === undefined;
  if (isFirst && spec.dataSource !== undefined && !isLegacyDataSource(spec.dataSource))
    delete spec.dataSource;
  completeDataSources(spec);
}

/** Copies the one of the two references to the other. */
function completeDataSources(spec: PersistentVolumeClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined && dataSourceRef === undefined) spec.dataSourceRef = { ...dataSource };
  else if (dataSource === undefined && dataSourceRef !== undefined && !dataSourceRef.namespace) {
    const { apiGroup, kind, name } = dataSourceRef;
    spec.dataSource = { ...(apiGroup === undefined ? {} : { apiGroup }), kind, name };
  }
}

const isLegacyDataSource = ({
  apiGroup = '',
  kind,
}: NonNullable<PersistentVolumeClaimSpec['dataSource']>): boolean =>
  (apiGroup === '' && kind === 'PersistentVolumeClaim') ||
  (apiGroup === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot');

function warnings({ metadata, spec }: PersistentVolumeClaim): string[] {
  return [
    ...(metadata?.annotations?.[STORAGE_CLASS_ANNOTATION] === undefined
      ? []
      : [
          `metadata.annotations[${STORAGE_CLASS_ANNOTATION}]: deprecated since v1.8; use "storageClassName" attribute instead`,
        ]),
    ...fractionalByteWarnings(spec ?? {}, 'spec'),
  ];
}

const GATED: readonly GatedField<PersistentVolumeClaimSpec>[] = [
  { gate: VOLUME_ATTRIBUTES_CLASS, member: 'volumeAttributesClassName', parents: (spec) => [spec] },
];
const GATED_STATUS: readonly GatedField<PersistentVolumeClaimStatus>[] = [
  {
    gate: VOLUME_ATTRIBUTES_CLASS,
    member: 'currentVolumeAttributesClassName',
    parents: (status) => [status],
  },
  { gate: VOLUME_ATTRIBUTES_CLASS, member: 'modifyVolumeStatus', parents: (status) => [status] },
];

function dropDisabledFields(
  { spec, status }: PersistentVolumeClaim,
  old: PersistentVolumeClaim | undefined,
  context: RuleContext,
): void {
  dropGatedFields(GATED, spec, old?.spec, context);
  dropGatedFields(GATED_STATUS, status, old?.status, context);
  // For a stored claim with a reference, validation rejects the namespace instead.
  const crossesNamespaces = (spec?.dataSourceRef?.namespace ?? '') !== '';
  if (!crossesNamespaces || context.isOn('CrossNamespaceVolumeDataSource')) return;
  if (old?.spec?.dataSourceRef === undefined) delete spec!.dataSourceRef;
}

/** Whether only one of the references to a data source is set: claims of older releases. */
function hasOneDataSource(message: Uint8Array): boolean {
  const spec = findDelimitedField(message, 2);
  if (spec === undefined) return false;
  return (findDelimitedField(spec, 7) === undefined) !== (findDelimitedField(spec, 8) === undefined);
}

export const persistentVolumeClaimStrategy: Strategy = {
  metadata: { checks: { update: ['whole', 'change', 'whole'] } },
  defaulting: {
    byVersion: { v1: defaultClaim },
    completion: {
      isIncomplete: hasOneDataSource,
      complete(claim: PersistentVolumeClaim) {
        claim.status = { ...claim.status, phase: claim.status?.phase || 'Pending' };
        completeDataSources(claim.spec ?? {});
      },
    },
    // The phase is a default that only the first update stores.
    creationOmitsDefaults: true,
  },
  dropDisabledFields,
  prepareForCreate(object) {
    const claim = object as PersistentVolumeClaim;
    claim.status = {};
    normalizeDataSources(claim.spec!, undefined);
  },
  prepareForUpdate(object, old) {
    normalizeDataSources((object as PersistentVolumeClaim).spec!, (old as PersistentVolumeClaim).spec);
  },
  validate: (object) => validateClaim(object as PersistentVolumeClaim),
  validateUpdate: (object, old, context) => [
    // kube-apiserver validates a changed claim twice.
    ...validateClaim(object as PersistentVolumeClaim, old as PersistentVolumeClaim),
    ...validateClaim(object as PersistentVolumeClaim, old as PersistentVolumeClaim),
    ...validateClaimUpdate(object as PersistentVolumeClaim, old as PersistentVolumeClaim, context),
  ],
  validateSubresource: {
    status: (object, _old, context) => validateClaimStatus(object as PersistentVolumeClaim, context),
  },
  warnings: (object) => warnings(object as PersistentVolumeClaim),
  deletion: { returnsObject: true },
};

export const persistentVolumeClaims = defineResource({
  group: '',
  versions: ['v1'],
  resource: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  shortNames: ['pvc'],
  subresources: ['status'],
  strategy: persistentVolumeClaimStrategy,
  table: persistentVolumeClaimTable,
});
