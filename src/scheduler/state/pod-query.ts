import { type AffinityTerm, isAboutNamespace } from '../objects/affinity-terms.ts';
import { type LabelMatcher, NO_LABELS } from '../objects/label-matcher.ts';
import type { PodInfo } from '../objects/pod-info.ts';

/** Selects pods. Two queries with the same key select the same pods. */
export interface PodQuery {
  readonly key: string;
  /** No pod of another namespace is selected; undefined: all namespaces. */
  readonly namespaces: ReadonlySet<string> | undefined;
  matches(pod: PodInfo): boolean;
}

/** The pods of a namespace that are not terminating and match a selector; an empty selector selects none here. */
export function spreadQuery(namespace: string, selector: LabelMatcher): PodQuery {
  return {
    key: `spread ${namespace} ${selector.key}`,
    namespaces: new Set([namespace]),
    matches: (pod) =>
      !selector.isEmpty && !pod.isTerminating && pod.namespace === namespace && selector.matches(pod.labels),
  };
}

/**
 * The pods that all of these terms are about. The terms have their namespace selectors resolved
 * ({@link AffinityTerm.namespaceSelector} is empty, or matches nothing).
 */
export function termsQuery(terms: readonly AffinityTerm[]): PodQuery {
  const [first] = terms;
  return {
    key: `terms ${terms.map(({ namespaces, namespaceSelector, selector }) => JSON.stringify([[...namespaces].sort(), namespaceSelector.key, selector.key])).join(' ')}`,
    namespaces: first === undefined || first.namespaceSelector.isEmpty ? undefined : first.namespaces,
    matches: (pod) => terms.every((term) => termMatches(term, pod)),
  };
}

/** Whether a term with resolved namespaces is about a pod. */
export const termMatches = (term: AffinityTerm, { namespace, labels }: PodInfo): boolean =>
  isAboutNamespace(term, namespace, NO_LABELS) && term.selector.matches(labels);
