import { setMember } from '../model/object.ts';
import type { Field, MessageType } from '../schema/message.ts';

const carriers = new WeakMap<MessageType, boolean>();

/**
 * Replaces base64 strings in the plain data of a typed message with bytes, as in CBOR. Data without bytes is
 * returned unchanged.
 */
export function withBinaryBytes(type: MessageType, plain: unknown): unknown {
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain) || !carriesBytes(type))
    return plain;
  const result = {};
  for (const [key, member] of Object.entries(plain)) {
    const field = type.byName.get(key);
    setMember(result, key, field === undefined ? member : fieldBytes(field, member));
  }
  return result;
}

function fieldBytes({ shape, type }: Field, value: unknown): unknown {
  const convert = (item: unknown): unknown => {
    if (type.scalar === undefined) return withBinaryBytes(type.message, item);
    return type.scalar === 'bytes' && typeof item === 'string' ? Buffer.from(item, 'base64') : item;
  };
  if (shape === 'single') return convert(value);
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== 'object' || value === null) return value;
  const map = {};
  for (const [key, member] of Object.entries(value)) setMember(map, key, convert(member));
  return map;
}

/** Whether a type contains bytes at any depth; a recursive type under inspection counts as having none. */
function carriesBytes(type: MessageType): boolean {
  const known = carriers.get(type);
  if (known !== undefined) return known;
  if (type.form !== 'object') return false;
  carriers.set(type, false);
  const carries = type.jsonFields.some((field) =>
    field.type.scalar === undefined ? carriesBytes(field.type.message) : field.type.scalar === 'bytes',
  );
  carriers.set(type, carries);
  return carries;
}
