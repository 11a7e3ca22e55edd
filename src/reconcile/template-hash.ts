import { writePlain } from '../codec/json-plain.ts';
import type { PodTemplateSpec } from '../model/generated/core-v1.ts';
import { fnv1a, safeHash } from './hash.ts';

/**
 * The value of a label by which Pods of one template differ from others of their owner: FNV-1a of the template's
 * canonical JSON and of the collisions that the owner has had. It is not the reference's value, which is a hash of Go's
 * memory: templates are compared, not hashes.
 */
export const templateHash = (template: PodTemplateSpec, collisions: number): string =>
  safeHash(fnv1a(`${writePlain(template)}${collisions}`));
