import type { Container, Volume, VolumeMount } from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  isValid,
  notFound,
  notSupported,
  required,
} from '../../../status/field-error.ts';
import { validateDescendingPath, validateNoBacksteps } from '../pods/paths-validation.ts';

/** The valid volumes of a pod by name. An invalid volume is reported as not found where it is mounted. */
export type Volumes = ReadonlyMap<string, Volume>;

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
/** The releases that mount image volumes only as a whole. */
const FORBIDS_IMAGE_PATHS: Life = { until: '1.33' };
const FORBIDDEN_IN_IMAGE_VOLUME = 'not allowed in image volume sources';
const NOT_BLOCK_VOLUME =
  'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
const RECURSIVE = ['Disabled', 'Enabled', 'IfPossible'];

/** Validates the volume mounts of a container. */
export function validateVolumeMounts(
  container: Container,
  volumes: Volumes,
  field: string,
  { has }: RuleContext,
): FieldError[] {
  const { volumeDevices = [] } = container;
  const deviceNames = new Set(volumeDevices.map((device) => device.name ?? ''));
  const devicePaths = pathsByName(volumeDevices.map(({ name = '', devicePath = '' }) => [name, devicePath]));
  const paths = new Set<string>();
  return (container.volumeMounts ?? []).flatMap((mount, index) => {
    const { name = '', mountPath = '', subPath = '', subPathExpr = '' } = mount;
    const path = `${field}[${index}]`;
    const errors: FieldError[] = name === '' ? [required(`${path}.name`)] : [];
    if (!volumes.has(name)) errors.push(notFound(`${path}.name`, name));
    if (mountPath === '') errors.push(required(`${path}.mountPath`));
    if (paths.has(mountPath)) errors.push(invalid(`${path}.mountPath`, mountPath, 'must be unique'));
    paths.add(mountPath);
    if (deviceNames.has(name))
      errors.push(invalid(`${path}.name`, name, 'must not already exist in volumeDevices'));
    if (devicePaths.has(mountPath))
      errors.push(
        invalid(`${path}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'),
      );
    if (volumes.get(name)?.image !== undefined && has(FORBIDS_IMAGE_PATHS)) {
      if (subPath !== '') errors.push(invalid(`${path}.subPath`, subPath, FORBIDDEN_IN_IMAGE_VOLUME));
      if (subPathExpr !== '')
        errors.push(invalid(`${path}.subPathExpr`, subPathExpr, FORBIDDEN_IN_IMAGE_VOLUME));
    }
    // In kube-apiserver the paths of the following errors have no index.
    if (subPath !== '') errors.push(...validateDescendingPath(subPath, `${field}.subPath`));
    if (subPathExpr !== '') {
      if (subPath !== '')
        errors.push(
          invalid(`${path}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive'),
        );
      errors.push(...validateDescendingPath(subPathExpr, `${field}.subPathExpr`));
    }
    return [
      ...errors,
      ...validatePropagation(mount, container, `${field}.mountPropagation`),
      ...validateRecursiveReadOnly(mount, `${field}.recursiveReadOnly`),
    ];
  });
}

function validatePropagation(
  { mountPropagation }: VolumeMount,
  container: Container,
  field: string,
): FieldError[] {
  if (mountPropagation === undefined) return [];
  if (!PROPAGATIONS.includes(mountPropagation)) return [notSupported(field, mountPropagation, PROPAGATIONS)];
  return mountPropagation === 'Bidirectional' && container.securityContext?.privileged !== true
    ? [forbidden(field, 'Bidirectional mount propagation is available only to privileged containers')]
    : [];
}

function validateRecursiveReadOnly(
  { recursiveReadOnly, readOnly, mountPropagation }: VolumeMount,
  field: string,
): FieldError[] {
  if (recursiveReadOnly === undefined || recursiveReadOnly === 'Disabled') return [];
  if (!RECURSIVE.includes(recursiveReadOnly)) return [notSupported(field, recursiveReadOnly, RECURSIVE)];
  return [
    ...(readOnly ? [] : [forbidden(field, 'may only be specified when readOnly is true')]),
    ...(mountPropagation === undefined || mountPropagation === 'None'
      ? []
      : [forbidden(field, 'may only be specified when mountPropagation is None or not specified')]),
  ];
}

/** Validates the block devices of a container. */
export function validateVolumeDevices(
  { volumeDevices = [], volumeMounts = [] }: Container,
  volumes: Volumes,
  field: string,
): FieldError[] {
  const mountNames = new Set(volumeMounts.map((mount) => mount.name ?? ''));
  const mountPaths = pathsByName(volumeMounts.map(({ name = '', mountPath = '' }) => [name, mountPath]));
  const names = new Set<string>();
  const paths = new Set<string>();
  return volumeDevices.flatMap(({ name = '', devicePath = '' }, index) => {
    const path = `${field}[${index}]`;
    const volume = volumes.get(name);
    const hasBacksteps = !isValid(() => validateNoBacksteps(devicePath, path));
    const errors: FieldError[] = name === '' ? [required(`${path}.name`)] : [];
    if (names.has(name)) errors.push(invalid(`${path}.name`, name, 'must be unique'));
    if (volume !== undefined && volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined)
      errors.push(invalid(`${path}.name`, name, NOT_BLOCK_VOLUME));
    if (volume === undefined) errors.push(notFound(`${path}.name`, name));
    if (devicePath === '') errors.push(required(`${path}.devicePath`));
    if (paths.has(devicePath)) errors.push(invalid(`${path}.devicePath`, devicePath, 'must be unique'));
    if (hasBacksteps)
      errors.push(invalid(`${path}.devicePath`, devicePath, "can not contain backsteps ('..')"));
    else paths.add(devicePath);
    if (mountNames.has(name))
      errors.push(invalid(`${path}.name`, name, 'must not already exist in volumeMounts'));
    if (mountPaths.has(devicePath))
      errors.push(
        invalid(`${path}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts'),
      );
    if (name !== '') names.add(name);
    return errors;
  });
}

/** Returns the last path of each name. */
const pathsByName = (pairs: readonly (readonly [name: string, path: string])[]): ReadonlySet<string> =>
  new Set(new Map(pairs).values());
