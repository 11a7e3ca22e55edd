import type { Node, NodeSelectorTerm, Pod, Taint } from '../../../src/model/generated/core-v1.ts';
import type { LabelSelector } from '../../../src/model/generated/meta-v1.ts';

type Labels = Record<string, string>;

/** Label selectors, as the documentation of the API states them. */
export function matches(selector: LabelSelector | undefined, labels: Labels = {}): boolean {
  if (selector === undefined) return false;
  for (const [key, value] of Object.entries(selector.matchLabels ?? {}))
    if (labels[key] !== value) return false;
  for (const { key, operator, values } of selector.matchExpressions ?? [])
    if (!meets(labels[key!], operator!, values ?? [])) return false;
  return true;
}

function meets(value: string | undefined, operator: string, values: readonly string[]): boolean {
  if (operator === 'Exists') return value !== undefined;
  if (operator === 'DoesNotExist') return value === undefined;
  if (operator === 'In') return value !== undefined && values.includes(value);
  if (operator === 'NotIn') return value === undefined || !values.includes(value);
  if (operator === 'Gt') return value !== undefined && Number(value) > Number(values[0]);
  return value !== undefined && Number(value) < Number(values[0]);
}

function meetsTerm(term: NodeSelectorTerm, node: Node): boolean {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  if (expressions.length + fields.length === 0) return false;
  const labels = node.metadata!.labels ?? {};
  return (
    expressions.every(({ key, operator, values }) => meets(labels[key!], operator!, values ?? [])) &&
    fields.every(({ operator, values }) => meets(node.metadata!.name, operator!, values ?? []))
  );
}

/** Whether node selector and required node affinity allow a node. */
export function allowsNode({ spec }: Pod, node: Node): boolean {
  for (const [key, value] of Object.entries(spec!.nodeSelector ?? {}))
    if (node.metadata!.labels?.[key] !== value) return false;
  const required = spec!.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || required.nodeSelectorTerms!.some((term) => meetsTerm(term, node));
}

/** Whether a pod tolerates a taint. */
export const toleratesTaint = ({ spec }: Pod, taint: Taint): boolean =>
  (spec!.tolerations ?? []).some(
    ({ key, operator, value, effect }) =>
      (!effect || effect === taint.effect) &&
      (!key || key === taint.key) &&
      (operator === 'Exists' || (value ?? '') === (taint.value ?? '')),
  );

/** The first taint that keeps a pod away. */
export const hardTaint = (pod: Pod, node: Node): Taint | undefined =>
  (node.spec?.taints ?? []).find(
    (taint) => taint.effect !== 'PreferNoSchedule' && !toleratesTaint(pod, taint),
  );
