import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/codec/json-parse.ts';
import { literalsOf } from '../../../src/codec/number-literals.ts';
import { validateTypeMeta } from '../../../src/schema/structural/index.ts';
import type { FieldError } from '../../../src/status/field-error.ts';
import { schemaOf } from './support/schema-of.ts';
import { StructureAtOnce } from './support/structure-at-once.ts';

/** Answers of kube-apiserver 1.32 to one object. Objects and results are texts, for the sake of numbers. */
interface Case {
  readonly name: string;
  readonly schema?: string;
  readonly object: string;
  readonly old?: string;
  /** Paths of unknown fields, in order. */
  readonly dropped?: readonly string[];
  /** Errors in any order, without those of metadata and of validation rules. */
  readonly errors?: readonly string[];
  /** The object as stored, without apiVersion, kind and metadata. */
  readonly result?: string;
}

interface Recording {
  readonly title: string;
  readonly schemas: Record<string, unknown>;
  readonly cases: readonly Case[];
}

const read = <Content>(name: string): Content =>
  JSON.parse(readFileSync(new URL(`recorded/${name}.json`, import.meta.url), 'utf8')) as Content;
const parse = (text: string): Record<string, unknown> =>
  parseJson(Buffer.from(text)).value as Record<string, unknown>;
const textOf = ({ type, field, body }: FieldError): string => `${type} ${field}: ${body}`;

function errorsOf(structure: StructureAtOnce, object: unknown, old: unknown): string[] {
  return [
    ...structure.validate(object, { old, floats: literalsOf(object) }),
    ...structure.embeddedResources(object).flatMap(validateTypeMeta),
    ...structure.validateLists(object, { old }),
  ]
    .map(textOf)
    .sort();
}

describe.each([
  'schema-validation',
  'list-members',
  'maps-and-junctors',
  'null-and-defaults',
  'number-values',
  'preserve-and-embed',
  'pruning',
  'defaulting',
  'ratcheting',
])('%s, as recorded', (file) => {
  const { schemas, cases } = read<Recording>(file);
  const structures = new Map(
    Object.entries(schemas).map(([name, schema]) => [name, new StructureAtOnce(schemaOf(schema))]),
  );

  it.each(cases.map((one) => [one.name, one] as const))('%s', (_name, one) => {
    const structure = structures.get(one.schema ?? 'rats')!;
    const object = parse(one.object);
    const old = one.old === undefined ? undefined : parse(one.old);
    expect(structure.prune(object, { isObject: true })).toEqual(one.dropped ?? []);
    structure.setDefaults(object, { isObject: true });
    expect(errorsOf(structure, object, old)).toEqual([...(one.errors ?? [])].sort());
    if (one.result === undefined) return;
    const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...rest } = object;
    expect(withoutEmbeddedMetadata(rest)).toEqual(withoutEmbeddedMetadata(parse(one.result)));
  });
});

/** Removes what the coercion of embedded metadata drops, the sign of zero and digits beyond int64. */
function withoutEmbeddedMetadata(value: unknown): unknown {
  if (value === 0) return 0;
  if (typeof value === 'bigint') return value > 2n ** 63n ? Number(value) : value;
  if (Array.isArray(value)) return value.map(withoutEmbeddedMetadata);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'nonsense' && name !== 'odd')
      .map(([name, member]) => [name, withoutEmbeddedMetadata(member)]),
  );
}

interface Formats {
  /** Texts by format, with the message of the error; null: accepted. */
  readonly formats: Record<string, readonly (readonly [string, string | null])[]>;
  /** Pattern, text and message. */
  readonly patterns: readonly (readonly [string, string, string | null])[];
}

describe('formats and patterns, as recorded', () => {
  const { formats, patterns } = read<Formats>('formats');
  const message = (schema: unknown, text: string): string | null =>
    new StructureAtOnce(schemaOf(schema))
      .validate(text)
      .map(({ body }) => body.replace(/ (\S*) in body/, ' x in body'))[0] ?? null;

  it.each(
    Object.entries(formats).flatMap(([format, texts]) => texts.map((one) => [format, ...one] as const)),
  )('format %s of %j: %j', (format, text, expected) => {
    expect(message({ type: 'string', format }, text)).toBe(
      expected?.replace(/ (\S*) in body/, ' x in body') ?? null,
    );
  });

  it.each(patterns)('pattern %j of %j: %j', (pattern, text, expected) => {
    expect(message({ type: 'string', pattern }, text)).toBe(
      expected?.replace(/ (\S*) in body/, ' x in body') ?? null,
    );
  });
});
