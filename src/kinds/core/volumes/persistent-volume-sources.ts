import type { PersistentVolumeSpec, SecretReference, Volume } from '../../../model/generated/core-v1.ts';
import { dns1123Label, dns1123Subdomain } from '../../../model/name-syntax.ts';
import { getMember } from '../../../model/object.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { validateDriverName } from '../../validation/drivers.ts';
import { invalidTexts } from '../../validation/fields.ts';
import { validateNoBacksteps } from '../pods/paths-validation.ts';
import { validateQuobyte } from './volume-network-validation.ts';
import type { VolumeSourceName } from './volume-sources-validation.ts';
import { volumeSourceRules } from './volume-sources-validation.ts';

/** Members of a volume's specification that are sources, in validation order. */
export const SOURCE_MEMBERS = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const;
type SourceMember = (typeof SOURCE_MEMBERS)[number];

/** As in kube-apiserver, `nodeStageSecretRef` is not validated. */
const SECRET_REFERENCES = [
  'controllerPublishSecretRef',
  'nodePublishSecretRef',
  'controllerExpandSecretRef',
  'nodeExpandSecretRef',
] as const;

/** Rules of sources that pod volumes lack or validate differently. */
const PERSISTENT_VOLUME_RULES: Readonly<
  Partial<
    Record<SourceMember, (spec: PersistentVolumeSpec, field: string, context: RuleContext) => FieldError[]>
  >
> = {
  local: ({ local }, field) => [
    ...requireMembers(local, field, 'path'),
    ...validateNoBacksteps(local?.path ?? '', `${field}.path`),
  ],
  glusterfs: ({ glusterfs }, field) => [
    ...requireMembers(glusterfs, field, 'endpoints', 'path'),
    ...(glusterfs?.endpointsNamespace === undefined
      ? []
      : validateNamespace(glusterfs.endpointsNamespace, `${field}.endpointsNamespace`)),
  ],
  azureFile: ({ azureFile }, field) => [
    ...requireMembers(azureFile, field, 'secretName', 'shareName'),
    ...(azureFile?.secretNamespace === '' ? [required(`${field}.secretNamespace`)] : []),
  ],
  cinder: ({ cinder }, field) => [
    ...requireMembers(cinder, field, 'volumeID'),
    ...(cinder?.secretRef === undefined
      ? []
      : requireMembers(cinder.secretRef, `${field}.secretRef`, 'name', 'namespace')),
  ],
  storageos: ({ storageos = {} }, field) => [
    ...(storageos.volumeName
      ? invalidTexts(`${field}.volumeName`, storageos.volumeName, dns1123Label(storageos.volumeName))
      : requireMembers(storageos, field, 'volumeName')),
    ...(storageos.volumeNamespace
      ? invalidTexts(
          `${field}.volumeNamespace`,
          storageos.volumeNamespace,
          dns1123Label(storageos.volumeNamespace),
        )
      : []),
    ...(storageos.secretRef === undefined
      ? []
      : requireMembers(storageos.secretRef, `${field}.secretRef`, 'name', 'namespace')),
  ],
  quobyte: ({ quobyte = {} }, field) => validateQuobyte(quobyte, field),
  iscsi: (spec, field, context) => [
    ...validatePodVolumeSource('iscsi', spec, field, context),
    ...(spec.iscsi?.secretRef === undefined
      ? []
      : requireMembers(spec.iscsi.secretRef, `${field}.secretRef`, 'name')),
  ],
  csi: ({ csi }, field, context) => [
    ...validateDriverName(csi?.driver ?? '', `${field}.driver`, context),
    ...requireMembers(csi, field, 'volumeHandle'),
    ...SECRET_REFERENCES.flatMap((member) =>
      csi?.[member] === undefined ? [] : validateSecretReference(csi[member], `${field}.${member}`),
    ),
  ],
};

const POD_VOLUME_RULES = new Map(volumeSourceRules);

/** Validates a source that has the same form in a pod volume. */
const validatePodVolumeSource = (
  member: SourceMember,
  spec: PersistentVolumeSpec,
  field: string,
  context: RuleContext,
): FieldError[] =>
  POD_VOLUME_RULES.get(member as VolumeSourceName)?.(spec as unknown as Volume, field, context) ?? [];

/**
 * Validates that a volume has exactly one source. A few error paths spell the member differently, as in
 * kube-apiserver. A `flexVolume` is accepted in addition to a source earlier in the order.
 * @param field path of the specification
 */
export function validateSources(
  spec: PersistentVolumeSpec,
  field: string,
  context: RuleContext,
): FieldError[] {
  const present = SOURCE_MEMBERS.filter((member) => spec[member] !== undefined);
  if (present.length === 0) return [required(field, 'must specify a volume type')];
  return present.flatMap((member, index) => {
    if (index > 0 && member !== 'flexVolume') {
      return [
        forbidden(
          `${field}.${member === 'cephfs' ? 'cephFS' : member}`,
          'may not specify more than 1 volume type',
        ),
      ];
    }
    const path = `${field}.${member === 'gcePersistentDisk' ? 'persistentDisk' : member}`;
    const errors =
      PERSISTENT_VOLUME_RULES[member]?.(spec, path, context) ??
      validatePodVolumeSource(member, spec, path, context);
    const hasAffinity = spec.nodeAffinity?.required !== undefined;
    if (member === 'local' && !hasAffinity)
      errors.push(required(`${field}.nodeAffinity`, 'Local volume requires node affinity'));
    return errors;
  });
}

function validateSecretReference(
  { name = '', namespace = '' }: SecretReference,
  field: string,
): FieldError[] {
  return [
    ...(name === ''
      ? [required(`${field}.name`)]
      : invalidTexts(`${field}.name`, name, dns1123Subdomain(name))),
    ...(namespace === ''
      ? [required(`${field}.namespace`)]
      : invalidTexts(`${field}.namespace`, namespace, dns1123Label(namespace))),
  ];
}

function requireMembers(source: object | undefined, field: string, ...members: string[]): FieldError[] {
  return members.flatMap((member) =>
    getMember(source ?? {}, member) ? [] : [required(`${field}.${member}`)],
  );
}

const validateNamespace = (name: string, field: string): FieldError[] =>
  name === ''
    ? [invalid(field, name, 'if the endpointnamespace is set, it must be a valid namespace name')]
    : invalidTexts(field, name, dns1123Label(name));
