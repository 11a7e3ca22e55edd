import { quote } from '../../../errors/quote.ts';
import { STORAGE_CLASS_ANNOTATION } from '../../../model/annotations.ts';
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  TypedObjectReference,
} from '../../../model/generated/core-v1.ts';
import { internalTypes } from '../../../model/internal-types.ts';
import type { Life } from '../../../model/life.ts';
import { dns1123Label, dns1123Subdomain, qualifiedName } from '../../../model/name-syntax.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidFormatted,
  notSupported,
  required,
} from '../../../status/field-error.ts';
import { checkMembers } from '../../validation/check-members.ts';
import { forbiddenIf, invalidTexts, validateImmutable, validateOneOf } from '../../validation/fields.ts';
import { validateLabelSelector } from '../../validation/labels.ts';
import {
  compareQuantityTexts,
  isWholeText,
  validateBasicQuantity,
  validatePositiveQuantity,
} from '../../validation/quantities.ts';
import { validateResourceAmount } from '../../validation/resource-names.ts';
import { semanticEqual } from '../../validation/semantic-equal.ts';

const SPEC = 'core_v1.PersistentVolumeClaimSpec';
const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
/** Volume modes of volumes and claims. */
export const VOLUME_MODES = ['Block', 'Filesystem'];
const IMMUTABLE_SPEC =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** Validates the access modes of a volume or claim. */
export function validateAccessModes(modes: readonly string[], field: string): FieldError[] {
  return [
    ...modes.flatMap((mode) =>
      ACCESS_MODES.includes(mode) ? [] : [notSupported(field, mode, ACCESS_MODES)],
    ),
    ...(modes.length > 1 &&
    modes.includes('ReadWriteOncePod') &&
    modes.some((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(mode))
      ? [forbidden(field, 'may not use ReadWriteOncePod with other access modes')]
      : []),
  ];
}

/** Validates a claim; `old` is the stored claim in an update. */
export const validateClaim = (
  { spec = {} }: PersistentVolumeClaim,
  old?: PersistentVolumeClaim,
): FieldError[] => validateClaimSpec(spec, 'spec', { old: old?.spec, checksAttributesClass: true });

interface ClaimSpecOptions {
  /** The stored specification in an update. */
  readonly old?: PersistentVolumeClaimSpec | undefined;
  readonly checksAttributesClass: boolean;
}

/** The feature gate of classes that change the attributes of a volume. */
export const VOLUME_ATTRIBUTES_CLASS = 'VolumeAttributesClass';

/** Validates the specification of a claim or claim template. */
export function validateClaimSpec(
  spec: PersistentVolumeClaimSpec,
  field: string,
  { old, checksAttributesClass }: ClaimSpecOptions,
): FieldError[] {
  const { accessModes = [], selector, resources, storageClassName, volumeMode } = spec;
  const size = resources?.requests?.storage;
  const sizeField = `${field}.resources[storage]`;
  return [
    ...(accessModes.length === 0
      ? [required(`${field}.accessModes`, 'at least 1 access mode is required')]
      : []),
    ...validateLabelSelector(selector, `${field}.selector`),
    ...validateAccessModes(accessModes, `${field}.accessModes`),
    ...(size === undefined
      ? [required(sizeField)]
      : ifEmpty(validatePositiveQuantity(size, sizeField), () =>
          validateResourceAmount('storage', size, sizeField),
        )),
    ...(storageClassName
      ? invalidTexts(`${field}.storageClassName`, storageClassName, dns1123Subdomain(storageClassName))
      : []),
    ...(volumeMode === undefined ? [] : validateOneOf(volumeMode, VOLUME_MODES, `${field}.volumeMode`)),
    ...validateDataSources(spec, field, old),
    ...(checksAttributesClass && spec.volumeAttributesClassName
      ? invalidTexts(
          `${field}.volumeAttributesClassName`,
          spec.volumeAttributesClassName,
          dns1123Subdomain(spec.volumeAttributesClassName),
        )
      : []),
  ];
}

const ifEmpty = (errors: FieldError[], next: () => FieldError[]): FieldError[] =>
  errors.length > 0 ? errors : next();

function validateDataSources(
  { dataSource, dataSourceRef }: PersistentVolumeClaimSpec,
  field: string,
  old: PersistentVolumeClaimSpec | undefined,
): FieldError[] {
  // Older servers did not validate the group, so a stored one is accepted.
  const anyGroup = old?.dataSource?.apiGroup !== undefined || old?.dataSourceRef?.apiGroup !== undefined;
  const errors = [
    ...(dataSource === undefined ? [] : validateDataSource(dataSource, `${field}.dataSource`, anyGroup)),
    ...(dataSourceRef === undefined
      ? []
      : validateDataSource(dataSourceRef, `${field}.dataSourceRef`, anyGroup)),
  ];
  if (dataSource === undefined || dataSourceRef === undefined) return errors;
  const pairError = (detail: string): FieldError =>
    invalidFormatted(
      field,
      'field.Path{name:"dataSource", index:"", parent:(*field.Path)(0xc000000000)}',
      detail,
    );
  if (dataSourceRef.namespace)
    return [...errors, pairError('may not be specified when dataSourceRef.namespace is specified')];
  const same =
    dataSource.kind === dataSourceRef.kind &&
    dataSource.name === dataSourceRef.name &&
    dataSource.apiGroup === dataSourceRef.apiGroup;
  return same ? errors : [...errors, pairError('must match dataSourceRef')];
}

function validateDataSource(
  { apiGroup = '', kind = '', name = '', namespace = '' }: TypedObjectReference,
  field: string,
  anyGroup: boolean,
): FieldError[] {
  return [
    ...(name === '' ? [required(`${field}.name`)] : []),
    ...(kind === '' ? [required(`${field}.kind`)] : []),
    ...(apiGroup === '' && kind !== 'PersistentVolumeClaim'
      ? [invalid(field, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")]
      : []),
    ...(apiGroup === '' || anyGroup
      ? []
      : invalidTexts(`${field}.apiGroup`, apiGroup, dns1123Subdomain(apiGroup))),
    ...(namespace === '' ? [] : invalidTexts(`${field}.namespace`, namespace, dns1123Label(namespace))),
  ];
}

/** Validates an update: a bound claim can request more storage, and `volumeName` can be set once. */
export function validateClaimUpdate(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  context: RuleContext,
): FieldError[] {
  const [spec, oldSpec] = [claim.spec ?? {}, old.spec ?? {}];
  const [size, oldSize] = [spec.resources?.requests?.storage, oldSpec.resources?.requests?.storage];
  const errors: FieldError[] = [];
  if (!semanticEqual(withMutableFieldsReset(claim, old), oldSpec, internalTypes.type(SPEC)))
    errors.push(forbidden('spec', `${IMMUTABLE_SPEC}${describeChange(spec, oldSpec)}`));
  const provisioned = old.status?.capacity?.storage;
  if (compareQuantityTexts(size, oldSize) < 0 && compareQuantityTexts(size, provisioned) <= 0) {
    errors.push(forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'));
  }
  return [
    ...errors,
    ...validateClassAnnotation(claim, old),
    ...validateImmutable(spec.volumeMode, oldSpec.volumeMode, 'volumeMode'),
    ...validateAttributesClassChange(spec.volumeAttributesClassName, old, context),
  ];
}

/** The releases that keep a class from being removed before it was ever applied. */
const KEEPS_WANTED_CLASS: Life = { until: '1.34' };

function validateAttributesClassChange(
  name: string | undefined,
  { spec, status }: PersistentVolumeClaim,
  { has, isOn }: RuleContext,
): FieldError[] {
  const field = 'spec.volumeAttributesClassName';
  const wanted = spec?.volumeAttributesClassName;
  if (name === wanted) return [];
  const isEnabled = isOn(VOLUME_ATTRIBUTES_CLASS);
  const errors = forbiddenIf(
    !isEnabled,
    field,
    'update is forbidden when the VolumeAttributesClass feature gate is disabled',
  );
  const keepsWanted = has(KEEPS_WANTED_CLASS);
  const kept = keepsWanted ? wanted : status?.currentVolumeAttributesClassName;
  if (name || kept === undefined || !(isEnabled || wanted !== undefined)) return errors;
  const text = keepsWanted
    ? `update from non-nil value to ${name === undefined ? 'nil' : 'an empty string'} is forbidden`
    : `update to ${name === undefined ? 'nil' : 'empty string'} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [...errors, forbidden(field, text)];
}

const classAnnotation = ({ metadata }: PersistentVolumeClaim): string | undefined =>
  metadata?.annotations?.[STORAGE_CLASS_ANNOTATION];

/** Whether the update moves the storage class from the annotation to the specification. */
function movesClassToSpec(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const [annotation, oldAnnotation] = [classAnnotation(claim), classAnnotation(old)];
  if (oldAnnotation === undefined || old.spec?.storageClassName !== undefined) return false;
  return (
    claim.spec?.storageClassName === oldAnnotation &&
    (annotation === undefined || annotation === oldAnnotation)
  );
}

function validateClassAnnotation(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldError[] {
  if (movesClassToSpec(claim, old)) return [];
  return validateImmutable(
    classAnnotation(claim) ?? '',
    classAnnotation(old) ?? '',
    `metadata.annotations.${STORAGE_CLASS_ANNOTATION}`,
  );
}

/** Returns the new specification with its mutable members reset to the old values. */
function withMutableFieldsReset(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
): PersistentVolumeClaimSpec {
  const { spec = {}, status } = claim;
  const { spec: oldSpec = {} } = old;
  const copy: PersistentVolumeClaimSpec = { ...spec };
  if (!oldSpec.volumeName) copy.volumeName = oldSpec.volumeName;
  // A claim created without a default class can get one later.
  if (
    oldSpec.storageClassName === undefined &&
    (classAnnotation(old) === undefined || movesClassToSpec(claim, old))
  )
    delete copy.storageClassName;
  if (status?.phase !== 'Bound') return copy;
  const storage = oldSpec.resources?.requests?.storage;
  if (spec.resources?.requests !== undefined && storage !== undefined)
    copy.resources = { ...spec.resources, requests: { ...spec.resources.requests, storage } };
  copy.volumeAttributesClassName = oldSpec.volumeAttributesClassName;
  return copy;
}

/** Returns a diff of the changed top-level members. */
function describeChange(spec: PersistentVolumeClaimSpec, oldSpec: PersistentVolumeClaimSpec): string {
  const members = [
    ...new Set([...Object.keys(oldSpec), ...Object.keys(spec)]),
  ] as (keyof PersistentVolumeClaimSpec)[];
  const changed = members.filter(
    (member) =>
      !semanticEqual({ [member]: spec[member] }, { [member]: oldSpec[member] }, internalTypes.type(SPEC)),
  );
  return changed
    .map(
      (member) =>
        `\n- ${member}: ${JSON.stringify(oldSpec[member])}\n+ ${member}: ${JSON.stringify(spec[member])}`,
    )
    .join('');
}

/** kube-apiserver once used the singular of the member in this path. */
const NAMES_SINGULAR: Life = { until: '1.34' };
const ALLOCATED_FIELD = 'status.allocatedResources';
const RESIZE_STATES = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

/** Validates a resource name of a claim: `storage` or a name with a custom domain. */
function validateResourceKey(name: string, field: string): FieldError[] {
  const texts = qualifiedName(name);
  if (texts.length > 0) return invalidTexts(field, name, texts);
  const isNative = !name.includes('/') || name.includes('kubernetes.io/');
  return isNative && name !== 'storage' ? [notSupported(field, name, ['storage'])] : [];
}

/** Validates a status update of a claim. */
export function validateClaimStatus(
  { spec, status }: PersistentVolumeClaim,
  { has }: RuleContext,
): FieldError[] {
  const field = has(NAMES_SINGULAR) ? 'status.allocatedResourceStatus' : 'status.allocatedResourceStatuses';
  return [
    ...(spec?.accessModes?.length ? [] : [required('Spec.accessModes')]),
    ...checkMembers(status?.capacity, 'capacity', (name, amount) =>
      validateBasicQuantity(amount, `status.capacity[${name}]`),
    ),
    ...checkMembers(status?.allocatedResourceStatuses, 'states', (name, state) => [
      ...validateResourceKey(name, field),
      ...(RESIZE_STATES.includes(state) ? [] : [notSupported(field, name, RESIZE_STATES)]),
    ]),
    ...checkMembers(status?.allocatedResources, 'allocated', (name, amount) =>
      ifEmpty(validateResourceKey(name, ALLOCATED_FIELD), () =>
        validateBasicQuantity(amount, `${ALLOCATED_FIELD}[${name}]`),
      ),
    ),
  ];
}

/** Warns about storage sizes with a fractional number of bytes. */
export function fractionalByteWarnings({ resources }: PersistentVolumeClaimSpec, field: string): string[] {
  return (['requests', 'limits'] as const).flatMap((member) => {
    const size = resources?.[member]?.storage;
    if (size === undefined || isWholeText(size)) return [];
    return [
      `${field}.resources.${member}[storage]: fractional byte value ${quote(size)} is invalid, must be an integer`,
    ];
  });
}
