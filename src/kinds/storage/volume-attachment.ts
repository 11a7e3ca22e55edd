import type { Volume } from '../../model/generated/core-v1.ts';
import type {
  VolumeAttachment,
  VolumeAttachmentSource,
  VolumeAttachmentSpec,
  VolumeError,
} from '../../model/generated/storage-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import type { Life } from '../../model/life.ts';
import { dns1123Subdomain } from '../../model/name-syntax.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidFormatted,
  required,
  tooLong,
} from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import { validateVolumeSpec } from '../core/volumes/persistent-volume-validation.ts';
import { setVolumeDefaults } from '../core/volumes/volume-defaults.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { bytesOfMembers } from '../validation/check-members.ts';
import { validateDriverName } from '../validation/drivers.ts';
import { IMMUTABLE, invalidTexts } from '../validation/fields.ts';
import { formatGoPointer, formatGoStruct, formatGoText } from '../validation/format-struct.ts';
import { roundResourceList } from '../validation/quantities.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';

const MAXIMUM_ERROR_LENGTH = 1024;
const MAXIMUM_METADATA_BYTES = 256 * 1024;
const ONE_SOURCE = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

function setDefaults(object: VolumeAttachment): void {
  const inline = object.spec?.source?.inlineVolumeSpec;
  if (inline === undefined) return;
  const { hostPath, iscsi, rbd, azureDisk, scaleIO } = inline;
  setVolumeDefaults({ hostPath, iscsi, rbd, azureDisk, scaleIO } as Volume);
  roundResourceList(inline.capacity);
}

/** The releases in which all rules of new attachments hold for changed ones, once. */
const VALIDATES_ONCE: Life = { since: '1.36' };

function validateSpec(
  { attacher = '', source = {}, nodeName = '' }: VolumeAttachmentSpec,
  context: RuleContext,
): FieldError[] {
  return [
    ...(attacher === '' ? [required('spec.attacher')] : []),
    ...validateVolumeSource(source, 'spec.source', context),
    ...invalidTexts('spec.nodeName', nodeName, dns1123Subdomain(nodeName)),
  ];
}

function validateVolumeSource(
  { inlineVolumeSpec, persistentVolumeName: name }: VolumeAttachmentSource,
  field: string,
  context: RuleContext,
): FieldError[] {
  const nameField = `${field}.persistentVolumeName`;
  if (inlineVolumeSpec === undefined && name === undefined) return [required(field, ONE_SOURCE)];
  if (inlineVolumeSpec !== undefined && name !== undefined) return [forbidden(field, ONE_SOURCE)];
  if (inlineVolumeSpec !== undefined)
    return validateVolumeSpec(
      inlineVolumeSpec,
      `${field}.inlineVolumeSpec`,
      { inline: true, checksNodeValues: false },
      context,
    );
  return name === '' ? [required(nameField, 'must specify non empty persistentVolumeName')] : [];
}

function validateStatus({ status = {} }: VolumeAttachment): FieldError[] {
  const metadata = status.attachmentMetadata ?? {};
  return [
    ...(Object.hasOwn(metadata, '')
      ? [invalid('status.attachmentMetadata', '', 'field can not be empty.')]
      : []),
    ...(bytesOfMembers(metadata) > MAXIMUM_METADATA_BYTES
      ? [tooLong('status.attachmentMetadata', MAXIMUM_METADATA_BYTES)]
      : []),
    ...validateError(status.attachError, 'status.attachError'),
    ...validateError(status.detachError, 'status.detachError'),
  ];
}

const validateError = (error: VolumeError | undefined, field: string): FieldError[] =>
  Buffer.byteLength(error?.message ?? '') > MAXIMUM_ERROR_LENGTH
    ? [tooLong(`${field}.message`, MAXIMUM_ERROR_LENGTH)]
    : [];

const formatSpec = ({ attacher, source = {}, nodeName }: VolumeAttachmentSpec): string =>
  formatGoStruct('storage.VolumeAttachmentSpec', {
    Attacher: formatGoText(attacher),
    Source: formatGoStruct('storage.VolumeAttachmentSource', {
      PersistentVolumeName: formatGoPointer('string', source.persistentVolumeName),
      InlineVolumeSpec: formatGoPointer('core.PersistentVolumeSpec', source.inlineVolumeSpec),
    }),
    NodeName: formatGoText(nodeName),
  });

const validate = (object: VolumeAttachment, context: RuleContext): FieldError[] => [
  ...validateSpec(object.spec ?? {}, context),
  ...validateStatus(object),
];

/** Validates all that new attachments must fulfil. */
function validateNew(object: VolumeAttachment, context: RuleContext): FieldError[] {
  const { attacher = '', source = {} } = object.spec ?? {};
  const name = source.persistentVolumeName;
  const rules = validate(object, context);
  return [
    // An attacher that is missing is reported by the rule of its name.
    ...(attacher === '' && context.has(VALIDATES_ONCE)
      ? rules.filter(({ field }) => field !== 'spec.attacher')
      : rules),
    ...validateDriverName(attacher, 'spec.attacher', context),
    ...(name === undefined
      ? []
      : invalidTexts('spec.source.persistentVolumeName', name, dns1123Subdomain(name))),
  ];
}

const validateUpdate = (
  object: VolumeAttachment,
  old: VolumeAttachment,
  context: RuleContext,
): FieldError[] => [
  // Earlier releases validate a changed attachment twice.
  ...(context.has(VALIDATES_ONCE)
    ? validateNew(object, context)
    : [...validate(object, context), ...validate(object, context)]),
  ...(semanticEqual(object.spec, old.spec, internalTypes.type('storage_v1.VolumeAttachmentSpec'))
    ? []
    : [invalidFormatted('spec', formatSpec(object.spec ?? {}), IMMUTABLE)]),
];

export const volumeAttachmentStrategy: Strategy = {
  metadata: { checks: { update: ['whole', 'whole'], through: { status: ['change', 'whole'] } } },
  defaulting: { byVersion: { v1: setDefaults } },
  validate: validateNew,
  validateUpdate,
  validateSubresource: { status: validateUpdate },
  requiresResourceVersion: true,
  status: { updatesMetadata: false },
  deletion: { returnsObject: true },
};

export const volumeAttachments = defineResource({
  group: 'storage.k8s.io',
  versions: ['v1'],
  resource: 'volumeattachments',
  kind: 'VolumeAttachment',
  scope: 'Cluster',
  subresources: ['status'],
  strategy: volumeAttachmentStrategy,
  table: table<VolumeAttachment>(
    [
      NAME,
      column('Attacher', 'Driver that attaches the volume.', 'string', 'name'),
      column('PV', 'The volume.'),
      column('Node', 'Node to which the volume is attached.'),
      column('Attached', 'Whether it is attached.', 'boolean'),
      AGE,
    ],
    (object) => [
      nameOf(object),
      object.spec?.attacher ?? '',
      object.spec?.source?.persistentVolumeName ?? '',
      object.spec?.nodeName ?? '',
      object.status?.attached ?? false,
      ageOf(object),
    ],
  ),
});
