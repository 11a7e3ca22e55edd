/** Words and paths that documents derive from names. */

export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `rbac.authorization.k8s.io` → `RbacAuthorization`, as in operation ids. */
export const groupWord = (group: string): string => identifier(shortGroup(group), true);

/** `rbacAuthorization`, as in tags. */
export const tagWord = (group: string): string => identifier(shortGroup(group), false);

const shortGroup = (group: string): string => (group === '' ? 'core' : group.replace(/\.k8s\.io$/, ''));

/**
 * Leaves out the characters that identifiers cannot have, each followed by a capital: `cert-manager.io` →
 * `certManagerIo`. A digit at the start counts as such a character.
 */
function identifier(text: string, startsUpper: boolean): string {
  let word = '';
  let upper = startsUpper;
  for (const [index, character] of [...text].entries()) {
    if (/[\p{L}_]/u.test(character) || (index > 0 && /\p{Nd}/u.test(character))) {
      word += upper ? character.toUpperCase() : character;
      upper = false;
    } else upper = true;
  }
  return word;
}

/** The indefinite article of a kind. */
export const article = (kind: string): string => (/^[AEIOU]/.test(kind) ? 'an' : 'a');
