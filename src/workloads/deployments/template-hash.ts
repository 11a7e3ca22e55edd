import type { PodTemplateSpec } from '../../model/generated/core-v1.ts';
import { isSame } from '../../reconcile/equality.ts';

/** The label by which the Pods of the ReplicaSets of one Deployment differ. */
export const HASH_LABEL = 'pod-template-hash';

/** Characters that make no words. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * The value of the label for a template: FNV-1a of its canonical JSON and of the collisions that the Deployment has
 * had, in the reference's alphabet. It is not the reference's value, which is a hash of Go's memory: templates are
 * compared, not hashes.
 */
export function templateHash(template: PodTemplateSpec, collisions: number): string {
  let hash = FNV_OFFSET;
  for (const byte of Buffer.from(`${canonical(template)}${collisions}`))
    hash = Math.imul(hash ^ byte, FNV_PRIME);
  return Array.from(String(hash >>> 0), (digit) => ALPHABET[digit.charCodeAt(0) % ALPHABET.length]).join('');
}

/** JSON with the members of objects in order. Depth is bounded by codecs. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** Whether two templates are equal apart from the label. */
export const isSameTemplate = (
  one: PodTemplateSpec | undefined,
  other: PodTemplateSpec | undefined,
): boolean => isSame(withoutHash(one), withoutHash(other));

function withoutHash(template: PodTemplateSpec = {}): PodTemplateSpec {
  const { labels } = template.metadata ?? {};
  if (labels === undefined || !Object.hasOwn(labels, HASH_LABEL)) return template;
  const others = Object.entries(labels).filter(([name]) => name !== HASH_LABEL);
  const metadata = { ...template.metadata };
  if (others.length === 0) delete metadata.labels;
  else metadata.labels = Object.fromEntries(others);
  return { ...template, metadata };
}
