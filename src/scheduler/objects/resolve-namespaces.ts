import type { AffinityTerm } from './affinity-terms.ts';
import { type Labels, MATCHES_NOTHING } from './label-matcher.ts';

/** Labels of namespaces. */
export interface NamespaceLabels {
  entries(): Iterable<readonly [namespace: string, labels: Labels]>;
}

/** A term of a pod that is scheduled, with the names of the namespaces that its selector means. */
export function resolveNamespaces(term: AffinityTerm, namespaces: NamespaceLabels): AffinityTerm {
  const { namespaceSelector } = term;
  if (namespaceSelector.isEmpty || namespaceSelector === MATCHES_NOTHING) return term;
  const names = new Set(term.namespaces);
  for (const [name, labels] of namespaces.entries()) if (namespaceSelector.matches(labels)) names.add(name);
  return { ...term, namespaces: names, namespaceSelector: MATCHES_NOTHING };
}
