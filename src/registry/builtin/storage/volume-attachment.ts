import type { PersistentVolumeSpec } from '../../../model/generated/core-v1.ts';
import type { VolumeAttachment, VolumeAttachmentSource, VolumeAttachmentSpec, VolumeError } from '../../../model/generated/storage-v1.ts';
import { type FieldError, forbidden, invalid, required, tooLong } from '../../../status/field-error.ts';
import type { Strategy } from '../../strategy.ts';
import { validateDriverName } from '../../validation/drivers.ts';
import { IMMUTABLE, invalidTexts } from '../../validation/fields.ts';
import { dns1123Subdomain } from '../../validation/names.ts';
import { semanticEqual } from '../../validation/semantic-equal.ts';
import { invalidShown } from '../../validation/shown.ts';
import { shownPointer, shownStruct, shownText } from '../../validation/shown-structs.ts';
import { SOURCE_MEMBERS, validateSource } from '../core/persistent-volume-sources.ts';
import type { Volume } from '../core/pod-types.ts';
import { setVolumeDefaults } from '../core/volume-defaults.ts';

const LONGEST_ERROR = 1024;
const LARGEST_METADATA = 256 * 1024;
const ONE_SOURCE = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

function setDefaults(object: VolumeAttachment): void {
  const inline = object.spec?.source?.inlineVolumeSpec;
  if (inline === undefined) return;
  const { hostPath, iscsi, rbd, azureDisk, scaleIO } = inline;
  setVolumeDefaults({ hostPath, iscsi, rbd, azureDisk, scaleIO } as Volume);
}

function validateSpec({ attacher = '', source = {}, nodeName = '' }: VolumeAttachmentSpec): FieldError[] {
  return [
    ...validateDriverName(attacher, 'spec.attacher'),
    ...validateVolumeSource(source, 'spec.source'),
    ...invalidTexts('spec.nodeName', nodeName, dns1123Subdomain(nodeName)),
  ];
}

function validateVolumeSource({ inlineVolumeSpec, persistentVolumeName }: VolumeAttachmentSource, field: string): FieldError[] {
  if (inlineVolumeSpec === undefined && persistentVolumeName === undefined) return [required(field, ONE_SOURCE)];
  if (inlineVolumeSpec !== undefined && persistentVolumeName !== undefined) return [forbidden(field, ONE_SOURCE)];
  if (inlineVolumeSpec !== undefined) return validateInlineVolume(inlineVolumeSpec, `${field}.inlineVolumeSpec`);
  if (persistentVolumeName === '') return [required(`${field}.persistentVolumeName`, 'must specify non empty persistentVolumeName')];
  return invalidTexts(`${field}.persistentVolumeName`, persistentVolumeName, dns1123Subdomain(persistentVolumeName!));
}

/** Only what attaching needs: modes and one CSI source; claims and classes mean nothing here. */
function validateInlineVolume(spec: PersistentVolumeSpec, field: string): FieldError[] {
  const sources = SOURCE_MEMBERS.filter((member) => spec[member] !== undefined);
  const refused = (['claimRef', 'capacity', 'persistentVolumeReclaimPolicy', 'nodeAffinity', 'storageClassName', 'volumeMode'] as const).filter((member) => {
    const value = spec[member];
    return value !== undefined && value !== '' && (typeof value !== 'object' || Object.keys(value).length > 0);
  });
  return [
    ...refused.map((member) => forbidden(`${field}.${member}`, 'may not be specified in the context of inline volumes')),
    ...(spec.csi === undefined ? [required(`${field}.csi`, 'has to be specified in the context of inline volumes')] : []),
    ...((spec.accessModes ?? []).length === 0 ? [required(`${field}.accessModes`)] : []),
    ...(sources.length === 0 ? [required(field, 'must specify a volume type')] : []),
    ...sources.flatMap((member, index) =>
      index > 0 ? [forbidden(`${field}.${member}`, 'may not specify more than 1 volume type')] : relocate(validateSource(spec, member), field),
    ),
  ];
}

/** Errors of a volume's own specification, at the place of an inline one. */
const relocate = (errors: readonly FieldError[], field: string): FieldError[] =>
  errors.map((error) => ({ ...error, field: error.field.replace(/^spec/, field) }));

function validateStatus({ status = {} }: VolumeAttachment): FieldError[] {
  const metadata = Object.entries(status.attachmentMetadata ?? {});
  const bytes = metadata.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...metadata.flatMap(([key]) => (key === '' ? [invalid('status.attachmentMetadata', key, 'field can not be empty.')] : [])),
    ...(bytes > LARGEST_METADATA ? [tooLong('status.attachmentMetadata', LARGEST_METADATA)] : []),
    ...validateError(status.attachError, 'status.attachError'),
    ...validateError(status.detachError, 'status.detachError'),
  ];
}

const validateError = (error: VolumeError | undefined, field: string): FieldError[] =>
  Buffer.byteLength(error?.message ?? '') > LONGEST_ERROR ? [tooLong(`${field}.message`, LONGEST_ERROR)] : [];

const shownSpec = ({ attacher, source = {}, nodeName }: VolumeAttachmentSpec): string =>
  shownStruct('storage.VolumeAttachmentSpec', {
    Attacher: shownText(attacher),
    Source: shownStruct('storage.VolumeAttachmentSource', {
      PersistentVolumeName: shownPointer('string', source.persistentVolumeName),
      InlineVolumeSpec: shownPointer('core.PersistentVolumeSpec', source.inlineVolumeSpec),
    }),
    NodeName: shownText(nodeName),
  });

const validate = (object: VolumeAttachment): FieldError[] => [...validateSpec(object.spec ?? {}), ...validateStatus(object)];

const validateUpdate = (object: VolumeAttachment, old: VolumeAttachment): FieldError[] => [
  ...validate(object),
  ...(semanticEqual(object.spec, old.spec) ? [] : [invalidShown('spec', shownSpec(object.spec ?? {}), IMMUTABLE)]),
];

export const volumeAttachmentStrategy: Strategy = {
  defaults: { v1: setDefaults },
  validate,
  validateUpdate,
  validateSubresource: { status: validateUpdate },
  requiresResourceVersion: true,
  statusKeepsMetadata: false,
  deleteAnswersObject: true,
};
