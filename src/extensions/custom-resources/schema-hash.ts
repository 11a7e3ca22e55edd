import { createHash } from 'node:crypto';
import { writePlain } from '../../codec/json-plain.ts';

/** Returns a hash of plain data and free-form JSON, whatever the order of members. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(writePlain(value)).digest('base64url');
}
