import { posix } from 'node:path';
import type {
  PersistentVolume,
  PersistentVolumeSpec,
  VolumeNodeAffinity,
} from '../../../model/generated/core-v1.ts';
import { internalTypes } from '../../../model/internal-types.ts';
import { dns1123Subdomain } from '../../../model/name-syntax.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  notSupportedFormatted,
  required,
} from '../../../status/field-error.ts';
import { once } from '../../../steps/replay.ts';
import { checkMembers } from '../../validation/check-members.ts';
import { forbiddenIf, invalidTexts, validateImmutable, validateOneOf } from '../../validation/fields.ts';
import { formatGo } from '../../validation/go-value.ts';
import { validateBasicQuantity, validatePositiveQuantity } from '../../validation/quantities.ts';
import { semanticEqual } from '../../validation/semantic-equal.ts';
import { CHECKS_NODE_VALUES, hasInvalidValues, validateNodeSelector } from '../pods/affinity-validation.ts';
import {
  VOLUME_ATTRIBUTES_CLASS,
  VOLUME_MODES,
  validateAccessModes,
} from './persistent-volume-claim-validation.ts';
import { SOURCE_MEMBERS, validateSources } from './persistent-volume-sources.ts';

const SPEC = 'core_v1.PersistentVolumeSpec';
const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain'];

const FORBIDDEN_INLINE = 'may not be specified in the context of inline volumes';

interface VolumeSpecOptions {
  /** Whether it is an inline volume of a VolumeAttachment: one CSI source, no claim and no class. */
  readonly inline?: boolean;
  /** Whether the node affinity must compare labels with values that labels can have. */
  readonly checksNodeValues: boolean;
}

/** Validates the specification of a persistent volume. @param field path of the specification */
export function validateVolumeSpec(
  spec: PersistentVolumeSpec,
  field: string,
  { inline = false, checksNodeValues }: VolumeSpecOptions,
  context: RuleContext,
): FieldError[] {
  const { accessModes = [], persistentVolumeReclaimPolicy: policy = '', hostPath, nodeAffinity } = spec;
  return [
    ...(inline ? validateInlineIdentity(spec, field) : []),
    ...(accessModes.length === 0 ? [required(`${field}.accessModes`)] : []),
    ...validateAccessModes(accessModes, `${field}.accessModes`),
    ...(inline ? validateInlineMembers(spec, field) : validateStoredMembers(spec, field)),
    ...(nodeAffinity === undefined || inline
      ? []
      : validateNodeAffinity(nodeAffinity, `${field}.nodeAffinity`, checksNodeValues)),
    ...validateSources(inline ? { ...spec, nodeAffinity: undefined } : spec, field, context),
    ...(hostPath !== undefined && posix.normalize(hostPath.path ?? '') === '/' && policy === 'Recycle'
      ? [
          forbidden(
            `${field}.persistentVolumeReclaimPolicy`,
            "may not be 'recycle' for a hostPath mount of '/'",
          ),
        ]
      : []),
    ...(inline ? validateInlineClass(spec, field) : validateStoredClass(spec, field)),
    // kube-apiserver does not validate it for inline volumes.
    ...(inline ? [] : validateAttributesClass(spec, field)),
  ];
}

/** @param old the volume before an update */
export const validateVolume = (
  { spec = {} }: PersistentVolume,
  context: RuleContext,
  old?: PersistentVolume,
): FieldError[] =>
  validateVolumeSpec(
    spec,
    'spec',
    {
      checksNodeValues:
        context.has(CHECKS_NODE_VALUES) && !hasInvalidValues(old?.spec?.nodeAffinity?.required),
    },
    context,
  );

function validateStoredMembers(spec: PersistentVolumeSpec, field: string): FieldError[] {
  const { capacity, persistentVolumeReclaimPolicy: policy = '' } = spec;
  return [
    ...validateCapacity(capacity, `${field}.capacity`),
    ...(policy === ''
      ? []
      : validateOneOf(policy, RECLAIM_POLICIES, `${field}.persistentVolumeReclaimPolicy`)),
  ];
}

function validateStoredClass(
  { storageClassName = '', volumeMode }: PersistentVolumeSpec,
  field: string,
): FieldError[] {
  return [
    ...(storageClassName === ''
      ? []
      : invalidTexts(`${field}.storageClassName`, storageClassName, dns1123Subdomain(storageClassName))),
    ...(volumeMode === undefined ? [] : validateOneOf(volumeMode, VOLUME_MODES, `${field}.volumeMode`)),
  ];
}

function validateInlineIdentity(
  { claimRef, capacity = {}, csi }: PersistentVolumeSpec,
  field: string,
): FieldError[] {
  return [
    ...forbiddenIf(claimRef !== undefined, `${field}.claimRef`, FORBIDDEN_INLINE),
    ...forbiddenIf(Object.keys(capacity).length > 0, `${field}.capacity`, FORBIDDEN_INLINE),
    ...(csi === undefined
      ? [required(`${field}.csi`, 'has to be specified in the context of inline volumes')]
      : []),
  ];
}

function validateInlineMembers(
  { persistentVolumeReclaimPolicy: policy = '', nodeAffinity }: PersistentVolumeSpec,
  field: string,
): FieldError[] {
  return [
    ...forbiddenIf(
      policy !== '' && policy !== 'Retain',
      `${field}.persistentVolumeReclaimPolicy`,
      'may only be Retain in the context of inline volumes',
    ),
    ...forbiddenIf(nodeAffinity !== undefined, `${field}.nodeAffinity`, FORBIDDEN_INLINE),
  ];
}

function validateInlineClass(
  { storageClassName = '', volumeMode }: PersistentVolumeSpec,
  field: string,
): FieldError[] {
  return [
    ...forbiddenIf(storageClassName !== '', `${field}.storageClassName`, FORBIDDEN_INLINE),
    ...forbiddenIf(
      volumeMode !== undefined && volumeMode !== 'Filesystem',
      `${field}.volumeMode`,
      'may not specify volumeMode other than Filesystem in the context of inline volumes',
    ),
  ];
}

/** Validates `volumeAttributesClassName`, which is dropped earlier when its feature gate is off. */
function validateAttributesClass(
  { volumeAttributesClassName: name, csi }: PersistentVolumeSpec,
  field: string,
): FieldError[] {
  if (name === undefined) return [];
  const path = `${field}.volumeAttributesClassName`;
  return [
    ...(name === ''
      ? [required(path, 'an empty string is disallowed')]
      : invalidTexts(path, name, dns1123Subdomain(name))),
    ...(csi === undefined
      ? [required(`${field}.csi`, 'has to be specified when using volumeAttributesClassName')]
      : []),
  ];
}

function validateCapacity(capacity: Readonly<Record<string, string>> = {}, path: string): FieldError[] {
  const names = Object.keys(capacity);
  const formatted = { place: 'formatted', cost: names.length };
  return [
    ...(names.length === 0 ? [required(path)] : []),
    ...(names.length !== 1 || names[0] !== 'storage'
      ? [
          notSupportedFormatted(
            path,
            once(capacity, formatted, () => formatGo('core.ResourceList', capacity)),
            ['storage'],
          ),
        ]
      : []),
    ...checkMembers(capacity, path, (name, amount) => {
      const field = `${path}[${name}]`;
      return [...validateBasicQuantity(amount, field), ...validatePositiveQuantity(amount, field)];
    }),
  ];
}

function validateNodeAffinity(
  { required: selector }: VolumeNodeAffinity,
  field: string,
  checksValues: boolean,
): FieldError[] {
  return selector === undefined
    ? [required(`${field}.required`, 'must specify required node constraints')]
    : validateNodeSelector(selector, `${field}.required`, { checksValues });
}

/** Validates an update: the volume source is immutable. */
export function validateVolumeUpdate(
  volume: PersistentVolume,
  old: PersistentVolume,
  context: RuleContext,
): FieldError[] {
  const [spec, oldSpec] = [volume.spec ?? {}, old.spec ?? {}];
  const changed = !semanticEqual(
    sourcesOf(spec, oldSpec),
    sourcesOf(oldSpec, oldSpec),
    internalTypes.type(SPEC),
  );
  return [
    ...(changed
      ? [forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation')]
      : []),
    ...validateImmutable(spec.volumeMode, oldSpec.volumeMode, 'volumeMode'),
    ...validateAffinityChange(spec.nodeAffinity, oldSpec.nodeAffinity),
    ...validateAttributesClassChange(spec, oldSpec, context),
  ];
}

function validateAttributesClassChange(
  { volumeAttributesClassName: name }: PersistentVolumeSpec,
  { volumeAttributesClassName: old }: PersistentVolumeSpec,
  { isOn }: RuleContext,
): FieldError[] {
  const field = 'spec.volumeAttributesClassName';
  if (name === old) return [];
  return [
    ...forbiddenIf(
      !isOn(VOLUME_ATTRIBUTES_CLASS),
      field,
      'update is forbidden when the VolumeAttributesClass feature gate is disabled',
    ),
    ...forbiddenIf(name === undefined, field, 'update from non-nil value to nil is forbidden'),
  ];
}

/** Returns the sources alone, without a `controllerExpandSecretRef` that is set for the first time. */
function sourcesOf(spec: PersistentVolumeSpec, oldSpec: PersistentVolumeSpec): PersistentVolumeSpec {
  const { csi, ...others } = Object.fromEntries(
    SOURCE_MEMBERS.map((member) => [member, spec[member]]),
  ) as PersistentVolumeSpec;
  if (csi === undefined) return others;
  const isUnset = oldSpec.csi !== undefined && oldSpec.csi.controllerExpandSecretRef === undefined;
  return { ...others, csi: isUnset ? { ...csi, controllerExpandSecretRef: undefined } : csi };
}

/** GA labels by beta label: a node affinity can change from the beta to the GA label. */
const GA_LABELS: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['beta.kubernetes.io/os', 'kubernetes.io/os'],
  ['beta.kubernetes.io/arch', 'kubernetes.io/arch'],
  ['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
]);

/** Validates a change of the node affinity, which can be set once. */
function validateAffinityChange(
  affinity: VolumeNodeAffinity | undefined,
  oldAffinity: VolumeNodeAffinity | undefined,
): FieldError[] {
  if (oldAffinity === undefined) return [];
  const type = internalTypes.type(SPEC);
  if (semanticEqual({ nodeAffinity: affinity }, { nodeAffinity: oldAffinity }, type)) return [];
  if (semanticEqual({ nodeAffinity: affinity }, { nodeAffinity: withGaLabels(oldAffinity, affinity) }, type))
    return [];
  return [
    invalid(
      'nodeAffinity',
      affinity ?? 'null',
      'field is immutable, except for updating from beta label to GA',
    ),
  ];
}

function withGaLabels(
  oldAffinity: VolumeNodeAffinity,
  affinity: VolumeNodeAffinity | undefined,
): VolumeNodeAffinity {
  const terms = affinity?.required?.nodeSelectorTerms ?? [];
  const nodeSelectorTerms = (oldAffinity.required?.nodeSelectorTerms ?? []).map((term, index) => ({
    ...term,
    matchExpressions: term.matchExpressions?.map((requirement, expressionIndex) => {
      const key = terms[index]?.matchExpressions?.[expressionIndex]?.key;
      return key !== undefined && GA_LABELS.get(requirement.key ?? '') === key
        ? { ...requirement, key }
        : requirement;
    }),
  }));
  return { ...oldAffinity, required: { ...oldAffinity.required, nodeSelectorTerms } };
}
