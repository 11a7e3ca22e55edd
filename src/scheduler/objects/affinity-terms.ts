import type { PodAffinityTerm, PodSpec, WeightedPodAffinityTerm } from '../../model/generated/core-v1.ts';
import { type LabelMatcher, type Labels, labelMatcher } from './label-matcher.ts';

/** Pods that a pod wants near or far: those of some namespaces with some labels, in one value of a node label. */
export interface AffinityTerm {
  /** Two terms with the same key are the same term. */
  readonly key: string;
  readonly topologyKey: string;
  readonly namespaces: ReadonlySet<string>;
  /** Further namespaces, by their labels. */
  readonly namespaceSelector: LabelMatcher;
  readonly selector: LabelMatcher;
}

export interface WeightedTerm {
  readonly term: AffinityTerm;
  /** Negative for pods that are wanted far. */
  readonly weight: number;
}

/** What a pod says about others. */
export interface PodAffinityTerms {
  readonly requiredNear: readonly AffinityTerm[];
  readonly requiredFar: readonly AffinityTerm[];
  readonly preferred: readonly WeightedTerm[];
}

/** Undefined for a pod that says nothing about others. */
export function affinityTermsOf(namespace: string, { affinity }: PodSpec): PodAffinityTerms | undefined {
  if (affinity?.podAffinity === undefined && affinity?.podAntiAffinity === undefined) return undefined;
  const { podAffinity: near = {}, podAntiAffinity: far = {} } = affinity;
  const terms = (list: readonly PodAffinityTerm[] = []) => list.map((term) => parseTerm(namespace, term));
  const weighted = (sign: 1 | -1, list: readonly WeightedPodAffinityTerm[] = []) =>
    list.map(({ weight = 0, podAffinityTerm = {} }) => ({
      term: parseTerm(namespace, podAffinityTerm),
      weight: sign * weight,
    }));
  return {
    requiredNear: terms(near.requiredDuringSchedulingIgnoredDuringExecution),
    requiredFar: terms(far.requiredDuringSchedulingIgnoredDuringExecution),
    preferred: [
      ...weighted(1, near.preferredDuringSchedulingIgnoredDuringExecution),
      ...weighted(-1, far.preferredDuringSchedulingIgnoredDuringExecution),
    ],
  };
}

/** A term that names no namespaces is about those of its pod. */
function parseTerm(namespace: string, term: PodAffinityTerm): AffinityTerm {
  const { labelSelector, namespaces = [], topologyKey = '', namespaceSelector } = term;
  const names = namespaces.length === 0 && namespaceSelector === undefined ? [namespace] : namespaces;
  const selector = labelMatcher(labelSelector);
  const byLabels = labelMatcher(namespaceSelector);
  return {
    key: JSON.stringify([topologyKey, [...names].sort(), byLabels.key, selector.key]),
    topologyKey,
    namespaces: new Set(names),
    namespaceSelector: byLabels,
    selector,
  };
}

/** Whether a term is about pods of a namespace with these labels. */
export const isAboutNamespace = (
  { namespaces, namespaceSelector }: AffinityTerm,
  namespace: string,
  labels: Labels,
): boolean => namespaces.has(namespace) || namespaceSelector.matches(labels);
