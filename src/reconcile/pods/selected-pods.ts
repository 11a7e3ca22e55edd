import type { Pod } from '../../model/generated/core-v1.ts';
import type { LabelSelector } from '../../model/generated/meta-v1.ts';
import { labelSelectorMatches } from '../../model/object-label-selector.ts';
import type { IndexedSource, ObjectIndex, SourceObject } from '../../reader/object-source.ts';
import { summaryOf } from './pod-summary.ts';

/** The key of an index for one label of a namespace. */
export const labelKey = (namespace: string, name: string, value: string): string =>
  `${namespace}/${name}=${value}`;

/** Pods by each of their labels: its listeners peek at them anyway. */
const BY_LABEL: ObjectIndex = (object) => {
  const { namespace = '', labels = {} } = (object.peek() as Pod).metadata ?? {};
  return Object.entries(labels).map(([name, value]) => labelKey(namespace, name, value));
};

/**
 * The Pods of a namespace that a selector of an object selects: an absent one none, an empty one all. What it costs
 * depends on the Pods with the first label that it asks for.
 */
export function* selectedPods(
  pods: IndexedSource,
  namespace: string,
  selector: LabelSelector | undefined,
): Generator<SourceObject> {
  if (selector === undefined) return;
  const [label] = Object.entries(selector.matchLabels ?? {});
  const found =
    label === undefined
      ? pods.entries(namespace)
      : pods.find(BY_LABEL, labelKey(namespace, label[0], label[1]));
  for (const [, pod] of found) if (labelSelectorMatches(selector, summaryOf(pod).labels)) yield pod;
}
