import type { PodTemplateSpec } from '../../model/generated/core-v1.ts';
import { isSame } from '../../reconcile/equality.ts';

/** The label by which the Pods of the ReplicaSets of one Deployment differ. */
export const HASH_LABEL = 'pod-template-hash';

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
