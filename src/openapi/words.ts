/** Words and paths that documents derive from names. */

export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `rbac.authorization.k8s.io` → `RbacAuthorization`, as in operation ids. */
export function groupWord(group: string): string {
  return group === ''
    ? 'Core'
    : group
        .replace(/\.k8s\.io$/, '')
        .split('.')
        .map(capitalized)
        .join('');
}

/** `rbacAuthorization`, as in tags. */
export function tagWord(group: string): string {
  const word = groupWord(group);
  return word.charAt(0).toLowerCase() + word.slice(1);
}

/** The indefinite article of a kind. */
export const article = (kind: string): string => (/^[AEIOU]/.test(kind) ? 'an' : 'a');
