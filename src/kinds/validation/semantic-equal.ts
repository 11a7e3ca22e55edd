import { type KubernetesObject, RawJson } from '../../model/object.ts';
import type { Field, MessageType } from '../../schema/message.ts';
import { compareQuantityTexts } from './quantities.ts';

/**
 * Returns whether two values of a type are semantically equal. Absent, null and empty lists and maps are
 * equal; the zero value of a non-pointer member equals its absence; quantities compare by amount, `bigint`
 * and number by value.
 * @param type the message type of both; without it, absent members equal only empty lists
 */
export function semanticEqual(a: unknown, b: unknown, type?: MessageType): boolean {
  if (a === b) return true;
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b);
  if (typeof a !== 'object' || typeof b !== 'object') return leavesEqual(a, b, type);
  if (a instanceof RawJson || b instanceof RawJson)
    return a instanceof RawJson && b instanceof RawJson && a.text === b.text;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((element, index) => semanticEqual(element, b[index], type))
    );
  return membersEqual(a as Record<string, unknown>, b as Record<string, unknown>, type);
}

const isNothing = (value: unknown): value is undefined | null =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

function leavesEqual(a: unknown, b: unknown, type: MessageType | undefined): boolean {
  if (typeof a === 'object' || typeof b === 'object') return false;
  if (type?.form === 'quantity') return compareQuantityTexts(String(a), String(b)) === 0;
  return (typeof a === 'bigint' || typeof b === 'bigint') && String(a) === String(b);
}

function membersEqual(
  a: Record<string, unknown>,
  b: Record<string, unknown>,
  type: MessageType | undefined,
): boolean {
  for (const name of Object.keys(a))
    if (!memberEqual(name, a[name], Object.hasOwn(b, name) ? b[name] : undefined, type)) return false;
  for (const name of Object.keys(b))
    if (!Object.hasOwn(a, name) && !memberEqual(name, undefined, b[name], type)) return false;
  return true;
}

function memberEqual(name: string, a: unknown, b: unknown, type: MessageType | undefined): boolean {
  // Most members are identical in most updates; skip their type.
  if (a === b) return true;
  const field = type?.byName.get(name);
  return field === undefined ? semanticEqual(a, b) : fieldEqual(a, b, field);
}

function fieldEqual(a: unknown, b: unknown, field: Field): boolean {
  const type = field.type.message;
  if (field.shape === 'map')
    return entriesEqual((a ?? {}) as Record<string, unknown>, (b ?? {}) as Record<string, unknown>, type);
  if (field.shape === 'list' || field.pointer) return semanticEqual(a, b, type);
  const zero = type?.form === 'object' ? {} : type?.form === 'quantity' ? '0' : undefined;
  return semanticEqual(isZero(a) ? zero : (a ?? zero), isZero(b) ? zero : (b ?? zero), type);
}

function entriesEqual(
  a: Record<string, unknown>,
  b: Record<string, unknown>,
  type: MessageType | undefined,
): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every(
      (name) => Object.hasOwn(b, name) && (a[name] === b[name] || semanticEqual(a[name], b[name], type)),
    )
  );
}

const isZero = (value: unknown): boolean => value === '' || value === 0 || value === false;

/** Whether anything but metadata and status changed. @param type the type of both objects */
export function specChanged(object: KubernetesObject, old: KubernetesObject, type: MessageType): boolean {
  const names = new Set([...Object.keys(object), ...Object.keys(old)]);
  for (const name of names) {
    if (name === 'metadata' || name === 'status' || name === 'kind' || name === 'apiVersion') continue;
    if (!semanticEqual({ [name]: object[name] }, { [name]: old[name] }, type)) return true;
  }
  return false;
}
