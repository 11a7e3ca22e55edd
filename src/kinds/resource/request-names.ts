import type { DeviceClaim } from '../../model/generated/resource-v1.ts';
import { dns1123Label } from '../../model/name-syntax.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { invalidTexts } from '../validation/fields.ts';
import { HAS_LATER_FORM } from './device-forms.ts';

/** The names that refer to the requests of a claim: each request, and in later releases each of its alternatives. */
export interface RequestNames {
  has(name: string): boolean;
  /** Whether a name can have two parts. */
  readonly namesAlternatives: boolean;
}

export function requestNamesOf({ requests = [] }: DeviceClaim, { has }: RuleContext): RequestNames {
  const namesAlternatives = has(HAS_LATER_FORM);
  const names = new Set(requests.map(({ name = '' }) => name));
  if (namesAlternatives)
    for (const { name, firstAvailable = [] } of requests)
      for (const alternative of firstAvailable) names.add(`${name ?? ''}/${alternative.name ?? ''}`);
  return { has: (name) => names.has(name), namesAlternatives };
}

/** Validates the name of an existing request. */
export function validateRequestReference(name: string, field: string, names: RequestNames): FieldError[] {
  const text = names.namesAlternatives
    ? "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
    : 'must be the name of a request in the claim';
  const parts = names.namesAlternatives ? name.split('/', 3) : [name];
  if (parts.length > 2) return [invalid(field, name, text)];
  return [
    ...parts.flatMap((part) => invalidTexts(field, part, dns1123Label(part))),
    ...(names.has(name) ? [] : [invalid(field, name, text)]),
  ];
}
