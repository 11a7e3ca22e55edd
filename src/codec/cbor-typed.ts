import { setMember } from '../model/object.ts';
import type { Field, MessageType } from '../schema/message.ts';

const carriers = new Map<MessageType, boolean>();

/**
 * Plain data of a typed message with its base64 texts replaced by the bytes themselves, as CBOR carries them.
 * Data without any is returned as it is.
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

/**
 * Whether bytes can stand anywhere below; types that contain themselves count as without while they are
 * looked at.
 */
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
