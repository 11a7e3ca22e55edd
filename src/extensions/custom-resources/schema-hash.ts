import { createHash } from 'node:crypto';
import { writePlain } from '../../codec/json-plain.ts';

/** Returns a hash of plain data and free-form JSON, in the order of members. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(textOf(value)).digest('base64url');
}

/** Integers beyond 2^53 are rare, and JSON.stringify refuses them. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return writePlain(value);
  }
}
