import type { EnvFromSource, EnvVar } from '../../../model/generated/core-v1.ts';
import { environmentVariableName, nameIsSubdomain } from '../../../model/name-syntax.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkEach } from '../../../steps/replay.ts';
import { invalidTexts } from '../../validation/fields.ts';
import {
  VARIABLE_PATHS,
  validateFieldReference,
  validateKeyReference,
  validateResourceReference,
} from './field-selectors-validation.ts';

const ONE_ONLY = 'may not have more than one field specified at a time';

/** Validates the environment variables of a container. */
export function validateEnvironment(variables: readonly EnvVar[] = [], field: string): FieldError[] {
  return checkEach(variables, { place: field, cost: 2 }, (variable, index) => {
    const { name = '' } = variable;
    const path = `${field}[${index}]`;
    return [
      ...(name === ''
        ? [required(`${path}.name`)]
        : invalidTexts(`${path}.name`, name, environmentVariableName(name))),
      ...validateValueFrom(variable, `${path}.valueFrom`),
    ];
  });
}

function validateValueFrom({ value = '', valueFrom }: EnvVar, field: string): FieldError[] {
  if (valueFrom === undefined) return [];
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef].filter(
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
  ];
  if (count === 0)
    errors.push(
      invalid(
        field,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
      ),
    );
  else if (value !== '') errors.push(invalid(field, '', 'may not be specified when `value` is not empty'));
  else if (count > 1) errors.push(invalid(field, '', ONE_ONLY));
  return errors;
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
