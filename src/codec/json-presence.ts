import type { Field } from '../schema/message.ts';

/** Whether a map has a member. */
export const hasKeys = (map: object): boolean => {
  for (const _key in map) return true;
  return false;
};

/**
 * Generates the condition for writing an optional member: pointers if `value` is set, others if it is not
 * zero or empty. Uses {@link hasKeys}.
 */
export function presence({ shape, type, pointer }: Field): string {
  const isSet = 'value !== undefined && value !== null';
  if (shape === 'list' || (shape === 'single' && !pointer && type.message?.form === 'array'))
    return `${isSet} && value.length > 0`;
  if (shape === 'map') return `${isSet} && hasKeys(value)`;
  return pointer || type.message !== undefined ? isSet : 'value';
}

/** Whether an optional member is written: the condition that {@link presence} generates. */
export function isPresent({ shape, type, pointer }: Field, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (shape === 'list' || (shape === 'single' && !pointer && type.message?.form === 'array'))
    return (value as readonly unknown[]).length > 0;
  if (shape === 'map') return hasKeys(value);
  return pointer || type.message !== undefined || Boolean(value);
}
