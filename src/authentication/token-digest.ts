import { hash, randomBytes } from 'node:crypto';

/**
 * Makes a function that turns tokens into keys under which to remember them. Whoever compares keys tells
 * nothing about tokens by the time that it takes, since nobody outside can choose a token whose key begins
 * like another's; and tokens aren't kept in memory.
 */
export function createTokenDigest(): (token: string) => string {
  const salt = randomBytes(32).toString('base64');
  return (token) => hash('sha256', salt + token, 'base64');
}
