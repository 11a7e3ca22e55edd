import type { Field, MessageType, ValueType } from '../../src/schema/message.ts';

/** A body with nearly all of its parts in one repeated field. */
export interface HostileBody {
  /** Path of the field: `spec.containers[].env[]`. */
  readonly path: string;
  /** Contents of the parts: `empty`, `same` or `different`. */
  readonly parts: string;
  /** The object without kind and apiVersion, with `count` parts. */
  make(count: number): Record<string, unknown>;
}

const DEEPEST = 7;
/** Fields set by the server. */
const LEFT_OUT = new Set(['managedFields', 'status']);

type Build = (inner: unknown) => unknown;

/**
 * Bodies of a kind, one for each list, map and string that a client can make very large, derived from the
 * declared types.
 */
export function* hostileBodies(type: MessageType): Generator<HostileBody, void> {
  yield* bodiesBelow(type, '', (inner) => inner, [], 0);
}

function* bodiesBelow(
  type: MessageType,
  path: string,
  build: Build,
  above: readonly MessageType[],
  depth: number,
): Generator<HostileBody, void> {
  if (type.form !== 'object' || depth > DEEPEST || above.includes(type)) return;
  for (const field of type.jsonFields) {
    if (field.name === '' || (depth === 0 && LEFT_OUT.has(field.name)) || field.name === 'managedFields')
      continue;
    const place = path === '' ? field.name : `${path}.${field.name}`;
    const around: Build = (inner) => build({ ...minimal(type), [field.name]: inner });
    yield* bodiesOf(field, place, around);
    if (field.type.message === undefined) continue;
    const outer: Build =
      field.shape === 'list'
        ? (inner) => around([inner])
        : field.shape === 'map'
          ? (inner) => around({ a: inner })
          : around;
    const itemPath = field.shape === 'single' ? place : `${place}[]`;
    yield* bodiesBelow(field.type.message, itemPath, outer, [...above, type], depth + 1);
  }
}

function* bodiesOf(field: Field, path: string, around: Build): Generator<HostileBody, void> {
  const body = (parts: string, make: (count: number) => unknown): HostileBody => ({
    path,
    parts,
    make: (count) => around(make(count)) as Record<string, unknown>,
  });
  const many = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index));
  if (field.shape === 'list') {
    yield body('empty', (count) =>
      many(count, () => (field.type.message === undefined ? scalar(field.type, 0) : {})),
    );
    yield body('same', (count) => many(count, () => sample(field.type, 0, 2)));
    yield body('different', (count) => many(count, (index) => sample(field.type, index, 2)));
  } else if (field.shape === 'map') {
    yield body('different', (count) =>
      Object.fromEntries(many(count, (index) => [`k${index}`, sample(field.type, index, 2)])),
    );
  } else if (field.type.scalar === 'string' && field.enum === undefined) {
    yield body('text', (count) => 'a,'.repeat(count * 8));
  }
}

/** Required members of a message, so that processing reaches the repeated field. */
function minimal(type: MessageType): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const field of type.jsonFields)
    if (field.required && field.shape === 'single') members[field.name] = sample(field.type, 0, 1);
  return members;
}

/** A value with all its scalar members. */
function sample(type: ValueType, index: number, depth: number): unknown {
  if (type.message === undefined) return scalar(type, index);
  const { form } = type.message;
  if (form === 'quantity') return '1';
  if (form === 'intOrString') return index + 1;
  if (form === 'time') return '2030-01-01T00:00:00Z';
  if (form === 'microTime') return '2030-01-01T00:00:00.000000Z';
  if (form === 'duration') return '1s';
  if (form === 'array') return ['a'];
  if (form !== 'object' || depth === 0) return {};
  const members: Record<string, unknown> = {};
  for (const field of type.message.jsonFields) {
    if (field.name === '') continue;
    if (field.shape === 'single' && (field.type.scalar !== undefined || depth > 1))
      members[field.name] = field.enum?.[0] ?? sample(field.type, index, depth - 1);
    else if (field.shape === 'list' && field.type.scalar === 'string')
      members[field.name] = [field.enum?.[0] ?? `a${index}`];
  }
  return members;
}

function scalar(type: ValueType, index: number): unknown {
  switch (type.scalar) {
    case 'string':
      return `a${index}`;
    case 'boolean':
      return true;
    case 'bytes':
      return 'AAAA';
    default:
      return (index % 60_000) + 1;
  }
}
