import { isCheckedFormat } from '../../../../src/kinds/apiextensions/formats.ts';
import { schemeOf } from '../../../../src/model/scheme.ts';
import type { ValueSchema } from '../../../../src/schema/structural/index.ts';

/** Members that have another name in the library than in definitions. */
const NAMES: Readonly<Record<string, string>> = {
  'x-kubernetes-list-type': 'listType',
  'x-kubernetes-list-map-keys': 'listMapKeys',
  'x-kubernetes-map-type': 'mapType',
  'x-kubernetes-int-or-string': 'isIntOrString',
  'x-kubernetes-embedded-resource': 'isEmbeddedResource',
  'x-kubernetes-preserve-unknown-fields': 'preservesUnknownFields',
};

const { has } = schemeOf('1.32');

type Json = Record<string, unknown>;

/** Converts a schema as definitions have it, with the formats that 1.32 checks. */
export function schemaOf(json: unknown): ValueSchema {
  const schema: Json = {};
  for (const [name, value] of Object.entries(json as Json))
    if (name !== 'format' || isCheckedFormat(json as Json, has))
      schema[NAMES[name] ?? name] = convert(name, value);
  return schema;
}

function convert(name: string, value: unknown): unknown {
  if (name === 'properties')
    return new Map(Object.entries(value as Json).map(([member, inner]) => [member, schemaOf(inner)]));
  if (name === 'items' || name === 'not' || (name === 'additionalProperties' && typeof value === 'object'))
    return schemaOf(value);
  return ['allOf', 'anyOf', 'oneOf'].includes(name) ? (value as unknown[]).map(schemaOf) : value;
}
