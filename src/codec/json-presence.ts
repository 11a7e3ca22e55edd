import type { Field } from '../schema/message.ts';

/** Whether a map has a member. */
export const hasKeys = (map: object): boolean => {
  for (const _key in map) return true;
  return false;
};

/**
 * Generates the condition for writing an optional member, which is in a variable: pointers if it is set, others if
 * it is not zero or empty. Uses {@link hasKeys}.
 */
export function presence({ shape, type, pointer }: Field, name = 'value'): string {
  const isSet = `${name} !== undefined && ${name} !== null`;
  if (shape === 'list' || (shape === 'single' && !pointer && type.message?.form === 'array'))
    return `${isSet} && ${name}.length > 0`;
  if (shape === 'map') return `${isSet} && hasKeys(${name})`;
  return pointer || type.message !== undefined ? isSet : name;
}
