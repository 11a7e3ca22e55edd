import type { KeyToPath, Volume } from '../../../model/generated/core-v1.ts';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { appendAll } from '../../validation/fields.ts';
import {
  FILE_PATHS,
  validateFieldReference,
  validateResourceReference,
} from '../pods/field-selectors-validation.ts';
import { validateFilePath } from '../pods/paths-validation.ts';

const MODE_TEXT = 'must be a number between 0 and 0777 (octal), both inclusive';
const MAXIMUM_MODE = 0o777;
const MINIMUM_TOKEN_SECONDS = 600;
const MAXIMUM_TOKEN_SECONDS = 2 ** 32;

/** Validates the permission bits of files in a volume. */
export const validateMode = (mode: number | undefined, field: string): FieldError[] =>
  mode !== undefined && (mode < 0 || mode > MAXIMUM_MODE) ? [invalid(field, mode, MODE_TEXT)] : [];

/** Validates the projected keys of a config map or secret. */
export const validateItems = (items: readonly KeyToPath[] = [], field: string): FieldError[] =>
  items.flatMap((item, index) => validateItem(item, `${field}.items[${index}]`));

function validateItem({ key = '', path = '', mode }: KeyToPath, field: string): FieldError[] {
  return [
    ...(key === '' ? [required(`${field}.key`)] : []),
    ...(path === '' ? [required(`${field}.path`)] : []),
    ...validateFilePath(path, `${field}.path`),
    ...validateMode(mode, `${field}.mode`),
  ];
}

type DownwardFile = NonNullable<NonNullable<Volume['downwardAPI']>['items']>[number];

/** Validates downward API files; in kube-apiserver the error paths have no index. */
export const validateDownwardFiles = (files: readonly DownwardFile[] = [], field: string): FieldError[] =>
  files.flatMap((file) => validateDownwardFile(file, field));

function validateDownwardFile(
  { path = '', fieldRef, resourceFieldRef, mode }: DownwardFile,
  field: string,
): FieldError[] {
  const errors = [
    ...(path === '' ? [required(`${field}.path`)] : []),
    ...validateFilePath(path, `${field}.path`),
  ];
  if (fieldRef !== undefined) {
    errors.push(...validateFieldReference(fieldRef, FILE_PATHS, `${field}.fieldRef`));
    if (resourceFieldRef !== undefined)
      errors.push(
        invalid(field, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'),
      );
  } else if (resourceFieldRef !== undefined)
    errors.push(
      ...validateResourceReference(resourceFieldRef, `${field}.resourceFieldRef`, { needsContainer: true }),
    );
  else errors.push(required(field, 'one of fieldRef and resourceFieldRef is required'));
  return [...errors, ...validateMode(mode, `${field}.mode`)];
}

/** Validates a projected volume: one type per source and unique file paths. */
export function validateProjected(
  { defaultMode, sources = [] }: NonNullable<Volume['projected']>,
  field: string,
): FieldError[] {
  const errors = validateMode(defaultMode, `${field}.defaultMode`);
  const paths = new Set<string>();
  const addPath = (path: string, reportedValue: string): void => {
    if (path === '') return;
    if (paths.has(path)) errors.push(invalid(field, reportedValue, 'conflicting duplicate paths'));
    paths.add(path);
  };
  for (const [index, source] of sources.entries()) {
    const at = `${field}.sources[${index}]`;
    for (const name of ['secret', 'configMap'] as const) {
      const files = source[name];
      if (files === undefined) continue;
      if (!files.name) errors.push(required(`${at}.${name}.name`));
      for (const [itemIndex, item] of (files.items ?? []).entries()) {
        appendAll(errors, validateItem(item, `${at}.${name}.items[${itemIndex}]`));
        addPath(item.path ?? '', files.name ?? '');
      }
    }
    for (const file of source.downwardAPI?.items ?? []) {
      appendAll(errors, validateDownwardFile(file, `${at}.downwardAPI`));
      addPath(file.path ?? '', file.path ?? '');
    }
    if (source.serviceAccountToken !== undefined)
      appendAll(errors, validateToken(source.serviceAccountToken, at, field));
    if (Object.values(source).filter((part) => part !== undefined).length > 1)
      errors.push(forbidden(at, 'may not specify more than 1 volume type per source'));
  }
  return errors;
}

type ProjectedSource = NonNullable<NonNullable<Volume['projected']>['sources']>[number];

/** Validates a token projection; kube-apiserver reports path errors at the volume, not at the source. */
function validateToken(
  token: NonNullable<ProjectedSource['serviceAccountToken']>,
  at: string,
  field: string,
): FieldError[] {
  const { expirationSeconds = 0, path = '' } = token;
  const where = `${at}.serviceAccountToken.expirationSeconds`;
  return [
    ...(expirationSeconds < MINIMUM_TOKEN_SECONDS
      ? [invalid(where, expirationSeconds, 'may not specify a duration less than 10 minutes')]
      : []),
    ...(expirationSeconds > MAXIMUM_TOKEN_SECONDS
      ? [invalid(where, expirationSeconds, 'may not specify a duration larger than 2^32 seconds')]
      : []),
    ...(path === '' ? [required(`${field}.path`)] : validateFilePath(path, `${field}.path`)),
  ];
}
