import type { Container, PodSpec } from '../../../model/generated/core-v1.ts';
import { dns1123Label, dns1123Subdomain } from '../../../model/name-syntax.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalidFormatted,
  notFound,
  required,
} from '../../../status/field-error.ts';
import { invalidTexts } from '../../validation/fields.ts';
import { formatGo } from '../../validation/go-value.ts';
import { isMirrorPod } from './pod-annotations-validation.ts';

type Claims = NonNullable<PodSpec['resourceClaims']>;

/** Validates the claims of a pod. @param annotations of the pod; absent in a template */
export function validatePodClaims(
  claims: Claims = [],
  field: string,
  annotations: Readonly<Record<string, string>> = {},
): FieldError[] {
  const names = new Set<string>();
  return claims.flatMap((claim, index) => {
    if (isMirrorPod(annotations)) return [forbidden('[]', 'static pods do not support resource claims')];
    const path = `${field}[${index}]`;
    return [...validateName(claim.name ?? '', names, `${path}.name`), ...validateSource(claim, path)];
  });
}

function validateName(name: string, names: Set<string>, field: string): FieldError[] {
  if (name === '') return [required(field)];
  if (names.has(name)) return [duplicate(field, name)];
  names.add(name);
  return invalidTexts(field, name, dns1123Label(name));
}

function validateSource(claim: Claims[number], field: string): FieldError[] {
  const { resourceClaimName: name, resourceClaimTemplateName: template } = claim;
  const refuse = (text: string): FieldError =>
    invalidFormatted(field, formatGo('core.PodResourceClaim', claim), text);
  const references = Object.entries({ resourceClaimName: name, resourceClaimTemplateName: template });
  return [
    ...(name !== undefined && template !== undefined
      ? [refuse('at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified')]
      : []),
    ...(name === undefined && template === undefined
      ? [refuse('must specify one of: `resourceClaimName`, `resourceClaimTemplateName`')]
      : []),
    ...references.flatMap(([member, value]) =>
      value === undefined ? [] : invalidTexts(`${field}.${member}`, value, dns1123Subdomain(value)),
    ),
  ];
}

/** Validates the claims of the pod that a container uses. */
export function validateContainerClaims(
  used: NonNullable<Container['resources']>['claims'] = [],
  podClaims: Claims = [],
  field: string,
): FieldError[] {
  const known = [...new Set(podClaims.map(({ name = '' }) => name))].filter((name) => name !== '').sort();
  const seen = new Set<string>();
  return used.flatMap(({ name = '', request = '' }, index) => {
    const path = `${field}[${index}]`;
    if (name === '') return [required(path)];
    const errors = validateUse(name, request, seen, path);
    if (known.includes(name)) return errors;
    const names = known.length === 0 ? ' which is empty' : `: ${known.join(', ')}`;
    const text = `must be one of the names in pod.spec.resourceClaims${names}`;
    return [...errors, notFound(path, name, text)];
  });
}

/** A claim is used as a whole, or by requests, each once. */
function validateUse(name: string, request: string, seen: Set<string>, field: string): FieldError[] {
  if (seen.has(name)) return [duplicate(field, name)];
  const key = request === '' ? name : `${name}/${request}`;
  const errors = request === '' ? [] : invalidTexts(`${field}.request`, request, dns1123Label(request));
  if (seen.has(key)) errors.push(duplicate(field, key));
  else if (request === '')
    for (const other of seen) if (other.startsWith(`${name}/`)) errors.push(duplicate(field, name));
  seen.add(key);
  return errors;
}
