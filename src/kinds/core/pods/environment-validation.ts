import type { EnvFromSource, EnvVar, FileKeySelector, PodSpec } from '../../../model/generated/core-v1.ts';
import { dns1123Label, environmentVariableName, nameIsSubdomain } from '../../../model/name-syntax.ts';
import { type FieldError, invalid, notFound, required } from '../../../status/field-error.ts';
import { checkEach } from '../../../steps/replay.ts';
import { invalidTexts } from '../../validation/fields.ts';
import { ENV_FILES, usesFileVariables } from './drop-disabled-fields.ts';
import {
  VARIABLE_PATHS,
  validateFieldReference,
  validateKeyReference,
  validateResourceReference,
} from './field-selectors-validation.ts';
import { validateNoBacksteps } from './paths-validation.ts';
import { containersWithPaths } from './pod-containers.ts';
import type { PodSpecValidationOptions } from './pod-validation-options.ts';

const ONE_ONLY = 'may not have more than one field specified at a time';

/** Validates the environment variables of a container. */
export function validateEnvironment(
  variables: readonly EnvVar[] = [],
  field: string,
  options: PodSpecValidationOptions,
): FieldError[] {
  const allowsFiles = options.isOn(ENV_FILES) || usesFileVariables(options.old);
  return checkEach(variables, { place: field, cost: 2 }, (variable, index) => {
    const { name = '' } = variable;
    const path = `${field}[${index}]`;
    return [
      ...(name === ''
        ? [required(`${path}.name`)]
        : invalidTexts(`${path}.name`, name, environmentVariableName(name))),
      ...validateValueFrom(variable, `${path}.valueFrom`, allowsFiles),
    ];
  });
}

function validateValueFrom(
  { value = '', valueFrom }: EnvVar,
  field: string,
  allowsFiles: boolean,
): FieldError[] {
  if (valueFrom === undefined) return [];
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(
    (source) => source !== undefined,
  ).length;
  const errors = [
    ...(fieldRef === undefined ? [] : validateFieldReference(fieldRef, VARIABLE_PATHS, `${field}.fieldRef`)),
    ...(resourceFieldRef === undefined
      ? []
      : validateResourceReference(resourceFieldRef, `${field}.resourceFieldRef`, { needsContainer: false })),
    ...(configMapKeyRef === undefined
      ? []
      : validateKeyReference(configMapKeyRef, `${field}.configMapKeyRef`)),
    ...(secretKeyRef === undefined ? [] : validateKeyReference(secretKeyRef, `${field}.secretKeyRef`)),
    ...(fileKeyRef === undefined ? [] : validateFileReference(fileKeyRef, `${field}.fileKeyRef`)),
  ];
  if (count === 0)
    errors.push(
      invalid(
        field,
        '',
        allowsFiles
          ? 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
          : 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
      ),
    );
  else if (value !== '') errors.push(invalid(field, '', 'may not be specified when `value` is not empty'));
  else if (count > 1) errors.push(invalid(field, '', ONE_ONLY));
  return errors;
}

/** Validates a reference to a variable in a file of a volume. */
function validateFileReference(
  { key = '', volumeName = '', path = '' }: FileKeySelector,
  field: string,
): FieldError[] {
  return [
    ...(key === ''
      ? [required(`${field}.key`)]
      : invalidTexts(`${field}.key`, key, environmentVariableName(key))),
    ...(volumeName === ''
      ? [required(`${field}.volumeName`)]
      : invalidTexts(`${field}.volumeName`, volumeName, dns1123Label(volumeName))),
    ...(path === '' ? [required(`${field}.path`)] : validateNoBacksteps(path, `${field}.path`)),
  ];
}

/** Validates that variables from files are in volumes that the containers can write. */
export function validateFileVariables(spec: PodSpec, field: string): FieldError[] {
  if (!usesFileVariables(spec)) return [];
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name ?? '', volume]));
  return containersWithPaths(spec, field).flatMap(({ container, path }) =>
    (container.env ?? []).flatMap(({ valueFrom }, index) => {
      if (valueFrom?.fileKeyRef === undefined) return [];
      const { volumeName: name = '' } = valueFrom.fileKeyRef;
      const at = `${path}.env[${index}].valueFrom.fileKeyRef.volumeName`;
      const volume = volumes.get(name);
      if (volume === undefined) return [notFound(at, name)];
      return volume.emptyDir === undefined
        ? [invalid(at, name, 'referenced volume must be of type emptyDir')]
        : [];
    }),
  );
}

/** Validates the `envFrom` sources of a container. */
export function validateEnvironmentSources(
  sources: readonly EnvFromSource[] = [],
  field: string,
): FieldError[] {
  return checkEach(sources, { place: field, cost: 2 }, ({ prefix = '', configMapRef, secretRef }, index) => {
    const path = `${field}[${index}]`;
    const errors =
      prefix === '' ? [] : invalidTexts(`${path}.prefix`, prefix, environmentVariableName(prefix));
    if (configMapRef !== undefined)
      errors.push(...validateSourceName(configMapRef.name, `${path}.configMapRef.name`));
    if (secretRef !== undefined) errors.push(...validateSourceName(secretRef.name, `${path}.secretRef.name`));
    if (configMapRef === undefined && secretRef === undefined)
      errors.push(invalid(field, '', 'must specify one of: `configMapRef` or `secretRef`'));
    if (configMapRef !== undefined && secretRef !== undefined) errors.push(invalid(field, '', ONE_ONLY));
    return errors;
  });
}

/** Validates the name as a prefix, which may end in a dash, as kube-apiserver does. */
const validateSourceName = (name: string | undefined, field: string): FieldError[] =>
  name ? invalidTexts(field, name, nameIsSubdomain(name, true)) : [required(field)];
