import type { Field } from '../schema/message.ts';

/** Whether a map has a member. */
export const hasKeys = (map: object): boolean => {
  for (const _key in map) return true;
  return false;
};

/**
 * Code that says when a member that is left out if unset is shown: pointers if `value` is there, others if it
 * is not zero or empty. Uses {@link hasKeys}.
 */
export function presence({ shape, type, pointer }: Field): string {
  const there = 'value !== undefined && value !== null';
  if (shape === 'list' || (shape === 'single' && !pointer && type.message?.form === 'array'))
    return `${there} && value.length > 0`;
  if (shape === 'map') return `${there} && hasKeys(value)`;
  return pointer || type.message !== undefined ? there : 'value';
}
