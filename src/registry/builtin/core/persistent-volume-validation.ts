import { posix } from 'node:path';
import type { PersistentVolume, PersistentVolumeSpec, VolumeNodeAffinity } from '../../../model/generated/core-v1.ts';
import { scaledQuantity } from '../../../model/quantity.ts';
import { messageType } from '../../../model/scheme.ts';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { invalidTexts, validateImmutable, validateOneOf } from '../../validation/fields.ts';
import { dns1123Subdomain } from '../../validation/names.ts';
import { quantityTextSign, readQuantity, validatePositiveQuantity } from '../../validation/quantities.ts';
import { semanticEqual } from '../../validation/semantic-equal.ts';
import { validateNodeSelector } from './affinity-validation.ts';
import { VOLUME_MODES, validateAccessModes } from './persistent-volume-claim-validation.ts';
import { SOURCE_MEMBERS, validateSource } from './persistent-volume-sources.ts';

const SPEC = 'core_v1.PersistentVolumeSpec';
const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain'];

export function validateVolume({ spec = {} }: PersistentVolume): FieldError[] {
  const { accessModes = [], capacity = {}, persistentVolumeReclaimPolicy: policy = '', storageClassName = '', volumeMode, hostPath } = spec;
  return [
    ...(accessModes.length === 0 ? [required('spec.accessModes')] : []),
    ...validateAccessModes(accessModes, 'spec.accessModes'),
    ...validateCapacity(capacity),
    ...(policy === '' ? [] : validateOneOf(policy, RECLAIM_POLICIES, 'spec.persistentVolumeReclaimPolicy')),
    ...(spec.nodeAffinity === undefined ? [] : validateNodeAffinity(spec.nodeAffinity, 'spec.nodeAffinity')),
    ...validateSources(spec),
    ...(spec.local !== undefined && spec.nodeAffinity === undefined ? [required('spec.nodeAffinity', 'Local volume requires node affinity')] : []),
    ...(hostPath !== undefined && posix.normalize(hostPath.path ?? '') === '/' && policy === 'Recycle'
      ? [forbidden('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'")]
      : []),
    ...(storageClassName === '' ? [] : invalidTexts('spec.storageClassName', storageClassName, dns1123Subdomain(storageClassName))),
    ...(volumeMode === undefined ? [] : validateOneOf(volumeMode, VOLUME_MODES, 'spec.volumeMode')),
  ];
}

function validateCapacity(capacity: Readonly<Record<string, string>>): FieldError[] {
  const names = Object.keys(capacity);
  return [
    ...(names.length === 0 ? [required('spec.capacity')] : []),
    ...(names.length !== 1 || names[0] !== 'storage'
      ? [
          {
            type: 'FieldValueNotSupported' as const,
            field: 'spec.capacity',
            body: `Unsupported value: ${JSON.stringify(capacity)}: supported values: "storage"`,
          },
        ]
      : []),
    ...names.flatMap((name) => {
      const field = `spec.capacity[${name}]`;
      const negative = quantityTextSign(capacity[name]) < 0;
      return [
        ...(negative ? [invalid(field, scaledQuantity(readQuantity(capacity[name])), 'must be a valid resource quantity')] : []),
        ...validatePositiveQuantity(capacity[name]!, field),
      ];
    }),
  ];
}

/** Exactly one source. */
function validateSources(spec: PersistentVolumeSpec): FieldError[] {
  const given = SOURCE_MEMBERS.filter((member) => spec[member] !== undefined);
  if (given.length === 0) return [required('spec', 'must specify a volume type')];
  return given.flatMap((member, index) =>
    index === 0 ? validateSource(spec, member) : [forbidden(`spec.${member}`, 'may not specify more than 1 volume type')],
  );
}

function validateNodeAffinity({ required: selector }: VolumeNodeAffinity, field: string): FieldError[] {
  return selector === undefined
    ? [required(`${field}.required`, 'must specify required node constraints')]
    : validateNodeSelector(selector as Parameters<typeof validateNodeSelector>[0], `${field}.required`);
}

/** What a volume is made of never changes. */
export function validateVolumeUpdate(volume: PersistentVolume, old: PersistentVolume): FieldError[] {
  const [spec, before] = [volume.spec ?? {}, old.spec ?? {}];
  const changed = !semanticEqual(sourcesOf(spec), sourcesOf(before), messageType(SPEC));
  return [
    ...(changed ? [forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation')] : []),
    ...validateImmutable(spec.volumeMode, before.volumeMode, 'volumeMode'),
    ...(before.nodeAffinity === undefined || semanticEqual({ nodeAffinity: spec.nodeAffinity }, { nodeAffinity: before.nodeAffinity }, messageType(SPEC))
      ? []
      : [invalid('nodeAffinity', spec.nodeAffinity ?? 'null', 'field is immutable')]),
  ];
}

/** The sources alone. Secrets for the expansion of a CSI volume may be given later, so they don't count. */
function sourcesOf(spec: PersistentVolumeSpec): PersistentVolumeSpec {
  const { csi, ...others } = Object.fromEntries(SOURCE_MEMBERS.map((member) => [member, spec[member]])) as PersistentVolumeSpec;
  return { ...others, ...(csi === undefined ? {} : { csi: { ...csi, controllerExpandSecretRef: undefined } }) };
}
