import { quote } from '../../errors/quote.ts';
import { type FieldError, invalidFormatted, required } from '../../status/field-error.ts';
import type { Steps } from '../../steps/steps.ts';
import { valueText } from './go-text.ts';
import { isContainer, type JsonObject } from './json.ts';
import type { Node } from './node.ts';
import { pathText } from './places.ts';
import { inOrder, type Visit, walkAll } from './walk.ts';

/** A complete object inside a value. */
export interface EmbeddedResource {
  readonly resource: JsonObject;
  /** Path of the resource: `spec.template`. */
  readonly field: string;
}

class Finder {
  readonly found: EmbeddedResource[] = [];

  constructor(private readonly field: string) {}

  readonly visit = ({ value, node, place }: Visit, rest: Visit[]): number => {
    if (node === undefined) return 0;
    const from = rest.length;
    if (Array.isArray(value)) {
      const { items } = node;
      if (items?.contents.hasEmbeddedResources !== true) return 0;
      for (let index = 0; index < value.length; index += 1) {
        const element = value[index] as unknown;
        if (isContainer(element))
          rest.push({ value: element, node: items, place: { parent: place, key: index } });
      }
      inOrder(rest, from);
      return value.length;
    }
    if (node.schema.isEmbeddedResource === true)
      this.found.push({ resource: value as JsonObject, field: pathText(place, this.field) });
    const names = Object.keys(value);
    for (const name of names) {
      const member = (value as JsonObject)[name];
      if (!isContainer(member)) continue;
      const inner = node.valueOf(name);
      if (inner?.contents.hasEmbeddedResources !== true) continue;
      const isMapKey = node.member(name) === undefined;
      rest.push({ value: member, node: inner, place: { parent: place, key: name, isMapKey } });
    }
    inOrder(rest, from);
    return names.length;
  };
}

/** Returns the embedded resources in a value, outer ones first. */
export function* embeddedResourcesOf(node: Node, value: unknown, field: string): Steps<EmbeddedResource[]> {
  const finder = new Finder(field);
  if (isContainer(value) && node.contents.hasEmbeddedResources)
    yield* walkAll<Visit>({ value, node, place: undefined }, finder.visit);
  return finder.found;
}

const MAXIMUM_LABEL = 63;
const KIND_RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic " +
  "character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for " +
  "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** Validates apiVersion and kind of an embedded resource; its metadata is the caller's. */
export function validateTypeMeta({ resource, field }: EmbeddedResource): FieldError[] {
  return [
    ...validateMember(resource, 'apiVersion', field, (apiVersion) =>
      apiVersion.split('/').length > 2 ? `unexpected GroupVersion string: ${apiVersion}` : undefined,
    ),
    ...validateMember(resource, 'kind', field, kindFault),
  ];
}

function kindFault(kind: string): string | undefined {
  const label = kind.toLowerCase();
  const faults: string[] = [];
  if (!/^[a-z][-a-z0-9]*$/.test(label) || label.endsWith('-')) faults.push(KIND_RULE);
  if (label.length > MAXIMUM_LABEL) faults.unshift(`must be no more than ${MAXIMUM_LABEL} characters`);
  if (faults.length === 0) return undefined;
  return `may have mixed case, but should otherwise match: ${faults.join(',')}`;
}

function validateMember(
  resource: JsonObject,
  name: string,
  field: string,
  faultOf: (text: string) => string | undefined,
): FieldError[] {
  const path = field === '' ? name : `${field}.${name}`;
  const reject = (shown: string, detail: string): FieldError[] => [invalidFormatted(path, shown, detail)];
  if (!Object.hasOwn(resource, name)) return [required(path, 'must not be empty')];
  const value = resource[name];
  if (typeof value !== 'string') return reject(valueText(value), 'must be a string');
  if (value === '') return reject('""', 'must not be empty');
  const fault = faultOf(value);
  return fault === undefined ? [] : reject(quote(value), fault);
}
