import { type FieldError, forbidden, invalid, notFound, notSupported, required } from '../../../status/field-error.ts';
import { validateDescendingPath, validateNoBacksteps } from './paths-validation.ts';
import type { Container, Volume, VolumeMount } from './pod-types.ts';

/** The valid volumes of a pod by name; a volume that is refused can't be mounted either. */
export type Volumes = ReadonlyMap<string, Volume>;

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const NOT_OF_IMAGES = 'not allowed in image volume sources';
const RECURSIVE = ['Disabled', 'Enabled', 'IfPossible'];

export function validateVolumeMounts(container: Container, volumes: Volumes, field: string): FieldError[] {
  const deviceNames = new Set((container.volumeDevices ?? []).map((device) => device.name));
  const devicePaths = new Set((container.volumeDevices ?? []).map((device) => device.devicePath));
  const paths = new Set<string>();
  return (container.volumeMounts ?? []).flatMap((mount, index) => {
    const { name = '', mountPath = '', subPath = '', subPathExpr = '' } = mount;
    const path = `${field}[${index}]`;
    const errors: FieldError[] = name === '' ? [required(`${path}.name`)] : [];
    if (!volumes.has(name)) errors.push(notFound(`${path}.name`, name));
    if (mountPath === '') errors.push(required(`${path}.mountPath`));
    if (paths.has(mountPath)) errors.push(invalid(`${path}.mountPath`, mountPath, 'must be unique'));
    paths.add(mountPath);
    if (deviceNames.has(name)) errors.push(invalid(`${path}.name`, name, 'must not already exist in volumeDevices'));
    if (devicePaths.has(mountPath)) errors.push(invalid(`${path}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'));
    if (subPath !== '') errors.push(...validateDescendingPath(subPath, `${path}.subPath`));
    if (subPathExpr !== '') {
      if (subPath !== '') errors.push(invalid(`${path}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
      errors.push(...validateDescendingPath(subPathExpr, `${path}.subPathExpr`));
    }
    if (volumes.get(name)?.image !== undefined) {
      if (subPath !== '') errors.push(invalid(`${path}.subPath`, subPath, NOT_OF_IMAGES));
      if (subPathExpr !== '') errors.push(invalid(`${path}.subPathExpr`, subPathExpr, NOT_OF_IMAGES));
    }
    return [...errors, ...validatePropagation(mount, container, `${path}.mountPropagation`), ...validateRecursiveReadOnly(mount, `${path}.recursiveReadOnly`)];
  });
}

function validatePropagation({ mountPropagation }: VolumeMount, container: Container, field: string): FieldError[] {
  if (mountPropagation === undefined) return [];
  if (!PROPAGATIONS.includes(mountPropagation)) return [notSupported(field, mountPropagation, PROPAGATIONS)];
  return mountPropagation === 'Bidirectional' && container.securityContext?.privileged !== true
    ? [forbidden(field, 'Bidirectional mount propagation is available only to privileged containers')]
    : [];
}

function validateRecursiveReadOnly({ recursiveReadOnly, readOnly, mountPropagation }: VolumeMount, field: string): FieldError[] {
  if (recursiveReadOnly === undefined || recursiveReadOnly === 'Disabled') return [];
  if (!RECURSIVE.includes(recursiveReadOnly)) return [notSupported(field, recursiveReadOnly, RECURSIVE)];
  return [
    ...(readOnly ? [] : [forbidden(field, 'may only be specified when readOnly is true')]),
    ...(mountPropagation === undefined || mountPropagation === 'None'
      ? []
      : [forbidden(field, 'may only be specified when mountPropagation is None or not specified')]),
  ];
}

export function validateVolumeDevices({ volumeDevices = [], volumeMounts = [] }: Container, volumes: Volumes, field: string): FieldError[] {
  const mountNames = new Set(volumeMounts.map((mount) => mount.name));
  const mountPaths = new Set(volumeMounts.map((mount) => mount.mountPath));
  const names = new Set<string>();
  const paths = new Set<string>();
  return volumeDevices.flatMap(({ name = '', devicePath = '' }, index) => {
    const path = `${field}[${index}]`;
    const volume = volumes.get(name);
    const errors: FieldError[] = name === '' ? [required(`${path}.name`)] : [];
    if (names.has(name)) errors.push(invalid(`${path}.name`, name, 'must be unique'));
    if (volume !== undefined && volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined)
      errors.push(invalid(`${path}.name`, name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'));
    if (volume === undefined) errors.push(notFound(`${path}.name`, name));
    if (devicePath === '') errors.push(required(`${path}.devicePath`));
    if (paths.has(devicePath)) errors.push(invalid(`${path}.devicePath`, devicePath, 'must be unique'));
    errors.push(...validateNoBacksteps(devicePath, `${path}.devicePath`));
    if (mountPaths.has(devicePath)) errors.push(invalid(`${path}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts'));
    if (mountNames.has(name)) errors.push(invalid(`${path}.name`, name, 'must not already exist in volumeMounts'));
    names.add(name);
    paths.add(devicePath);
    return errors;
  });
}
