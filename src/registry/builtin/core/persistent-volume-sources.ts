import type { PersistentVolumeSpec } from '../../../model/generated/core-v1.ts';
import { getMember } from '../../../model/object.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { invalidTexts } from '../../validation/fields.ts';
import { dns1123Label } from '../../validation/names.ts';
import { validateNoBacksteps } from './paths-validation.ts';
import type { Volume } from './pod-types.ts';
import { validateDriverName, volumeSourceRules } from './volume-sources-validation.ts';

/** Members of a volume's specification that are sources, in the order in which they are looked at. */
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

const SECRET_REFERENCES = [
  'controllerPublishSecretRef',
  'nodePublishSecretRef',
  'nodeStageSecretRef',
  'controllerExpandSecretRef',
  'nodeExpandSecretRef',
] as const;

/** Rules of sources that volumes of pods lack, or have in another form. */
const OWN_RULES: Readonly<Partial<Record<SourceMember, (spec: PersistentVolumeSpec, field: string) => FieldError[]>>> = {
  local: ({ local }, field) => [...given(local, field, 'path'), ...validateNoBacksteps(local?.path ?? '', `${field}.path`)],
  glusterfs: ({ glusterfs }, field) => [
    ...given(glusterfs, field, 'endpoints', 'path'),
    ...(glusterfs?.endpointsNamespace === undefined ? [] : validateNamespace(glusterfs.endpointsNamespace, `${field}.endpointsNamespace`)),
  ],
  azureFile: ({ azureFile }, field) => [
    ...given(azureFile, field, 'secretName', 'shareName'),
    ...(azureFile?.secretNamespace === '' ? [invalid(`${field}.secretNamespace`, '', 'secretNamespace can not be an empty string')] : []),
  ],
  cinder: ({ cinder }, field) => [
    ...given(cinder, field, 'volumeID'),
    ...(cinder?.secretRef === undefined ? [] : given(cinder.secretRef, `${field}.secretRef`, 'name', 'namespace')),
  ],
  storageos: ({ storageos }, field) => given(storageos, field, 'volumeName'),
  csi: ({ csi }, field) => [
    ...validateDriverName(csi?.driver ?? '', `${field}.driver`),
    ...given(csi, field, 'volumeHandle'),
    ...SECRET_REFERENCES.flatMap((member) => (csi?.[member] === undefined ? [] : given(csi[member], `${field}.${member}`, 'name', 'namespace'))),
  ],
};

const SHARED_RULES = new Map<string, (volume: Volume, field: string) => FieldError[]>(volumeSourceRules);

/** @param member a source that the volume has */
export function validateSource(spec: PersistentVolumeSpec, member: SourceMember): FieldError[] {
  const field = `spec.${member}`;
  const own = OWN_RULES[member];
  // Sources in the same form bear the same names as in a pod's volume.
  return own === undefined ? (SHARED_RULES.get(member)?.(spec as unknown as Volume, field) ?? []) : own(spec, field);
}

function given(source: object | undefined, field: string, ...members: string[]): FieldError[] {
  return members.flatMap((member) => (getMember(source ?? {}, member) ? [] : [required(`${field}.${member}`)]));
}

const validateNamespace = (name: string, field: string): FieldError[] =>
  name === '' ? [invalid(field, name, 'if the endpointnamespace is set, it must be a valid namespace name')] : invalidTexts(field, name, dns1123Label(name));
