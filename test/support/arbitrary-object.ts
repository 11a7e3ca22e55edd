import fc from 'fast-check';
import { RawJson, setMember } from '../../src/model/object.ts';
import type { Field, MessageType, ScalarType, ValueType } from '../../src/schema/message.ts';

/** Names that break code which uses untrusted keys as object members. */
const awkwardKeys = ['__proto__', 'constructor', 'toString', 'a.b/c-d', 'ключ', '𐀀', '\uffee'];
const key = fc.oneof(fc.constantFrom(...awkwardKeys), fc.string({ minLength: 1, maxLength: 12 }));
const text = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom('Always', 'TCP', 'a'.repeat(200)),
);
const int64 = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc
    .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value)),
);
const time = fc
  .integer({ min: -62167219200, max: 253402300799 })
  .map((seconds) => new Date(seconds * 1000).toISOString().slice(0, 19));
const raw = fc
  .oneof(fc.json(), fc.constantFrom('{}', '{"f:metadata":{"f:labels":{}}}'))
  .map((json) => new RawJson(JSON.stringify(JSON.parse(json))));

const scalars: Record<ScalarType, fc.Arbitrary<unknown>> = {
  string: text,
  boolean: fc.boolean(),
  int32: fc.integer(),
  int64,
  double: fc.double({ noNaN: true }),
  bytes: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64')),
};

/** Whether a value is the zero value of a non-pointer field, which is the same as absence. */
function isZero(value: unknown, { type }: Field): boolean {
  if (type.scalar === 'bytes') return false;
  if (type.message !== undefined && value instanceof RawJson) return value.text === 'null';
  if (type.message?.form === 'object') return Object.keys(value as object).length === 0;
  return (
    value === '' || value === 0 || value === false || (type.message?.form === 'quantity' && value === '0')
  );
}

function arbitraryValue(type: ValueType, depth: number): fc.Arbitrary<unknown> {
  if (type.scalar !== undefined) return scalars[type.scalar];
  const message = type.message;
  switch (message.form) {
    case 'object':
      return arbitraryMessage(message, depth - 1);
    case 'time':
      return time.map((value) => `${value}Z`);
    case 'microTime':
      return fc
        .tuple(time, fc.integer({ min: 0, max: 999_999 }))
        .map(([value, micro]) => `${value}.${String(micro).padStart(6, '0')}Z`);
    case 'quantity':
      return fc.constantFrom('0', '1', '500m', '128Mi', '1e3', '2560Mi', '-3');
    case 'intOrString':
      return fc.oneof(fc.integer(), text);
    case 'array':
      return fc.array(arbitraryValue(message.items!, depth), { maxLength: 3 });
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStringArray':
      return arbitraryUnion(message, depth);
    default:
      return raw;
  }
}

function arbitraryUnion(message: MessageType, depth: number): fc.Arbitrary<unknown> {
  const schema = arbitraryValue(message.fields.find(({ name }) => name === 'Schema')!.type, depth);
  const other = message.fields.find(({ name }) => name !== 'Schema')!;
  return fc.oneof(
    schema,
    other.shape === 'list'
      ? fc.array(arbitraryValue(other.type, depth), { minLength: 1, maxLength: 2 })
      : fc.boolean(),
  );
}

function arbitraryMember(field: Field, depth: number): fc.Arbitrary<unknown> {
  const value = arbitraryValue(field.type, depth);
  if (field.shape === 'list') return fc.array(value, { minLength: 1, maxLength: 3 });
  if (field.shape === 'map') {
    return fc
      .uniqueArray(fc.tuple(key, value), { minLength: 1, maxLength: 4, selector: ([name]) => name })
      .map((entries) => {
        const map = {};
        for (const [name, member] of entries) setMember(map, name, member);
        return map;
      });
  }
  return field.pointer || !field.writtenWhenUnset
    ? value
    : value.map((made) => (isZero(made, field) ? undefined : made));
}

/**
 * Typed in-memory values of a message of the type model, in the form produced by every decoder: no zero
 * values of non-pointer fields, no empty lists and maps. Member names follow the model, map keys include
 * awkward ones; surrogates are paired.
 * @param depth maximum nesting of messages
 */
export function arbitraryMessage(type: MessageType, depth = 4): fc.Arbitrary<object> {
  const fields = type.jsonFields.filter(
    (field) => field.number > 0 && (depth > 0 || field.type.message === undefined),
  );
  return fc
    .subarray(fields, { maxLength: Math.min(fields.length, 8) })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map((field) => arbitraryMember(field, depth).map((value) => [field.name, value] as const)),
      ),
    )
    .map((members) => Object.fromEntries(members.filter(([, value]) => value !== undefined)));
}
