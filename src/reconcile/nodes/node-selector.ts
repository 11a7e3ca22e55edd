import type {
  Affinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PreferredSchedulingTerm,
} from '../../model/generated/core-v1.ts';
import { equalities, type LabelRequirement, selectorOf } from '../../model/label-selector.ts';

type Labels = Readonly<Record<string, string>>;

/** What node selectors look at. */
export interface SelectableNode {
  readonly name: string;
  readonly labels: Labels;
}

export type NodeMatcher = (node: SelectableNode) => boolean;

const OPERATORS: Readonly<Record<string, LabelRequirement['operator']>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};

const NEVER: NodeMatcher = () => false;
const isNothing = ({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): boolean =>
  matchExpressions.length === 0 && matchFields.length === 0;

/** Matches nodes that meet one of the terms; a term without requirements matches none. */
export function nodeSelectorMatcher({ nodeSelectorTerms = [] }: NodeSelector): NodeMatcher {
  const terms = nodeSelectorTerms.filter((term) => !isNothing(term)).map(termMatcher);
  if (terms.length === 1) return terms[0]!;
  return (node) => terms.some((matches) => matches(node));
}

function termMatcher({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): NodeMatcher {
  const labels = requirements(matchExpressions);
  if (labels === undefined) return NEVER;
  const fields = matchFields.map(fieldMatcher);
  const { matches } = selectorOf(labels);
  return (node) =>
    (labels.length === 0 || matches(node.labels)) && fields.every((matchesField) => matchesField(node));
}

function requirements(expressions: readonly NodeSelectorRequirement[]): LabelRequirement[] | undefined {
  const found: LabelRequirement[] = [];
  for (const { key = '', operator = '', values = [] } of expressions) {
    const known = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
    if (known === undefined || ((known === 'gt' || known === 'lt') && values.length !== 1)) return undefined;
    found.push({ key, operator: known, values });
  }
  return found;
}

/** The only field is `metadata.name`, with one value. */
function fieldMatcher({ key, operator, values = [] }: NodeSelectorRequirement): NodeMatcher {
  if (key !== 'metadata.name' || values.length !== 1) return NEVER;
  if (operator === 'In') return ({ name }) => name === values[0];
  if (operator === 'NotIn') return ({ name }) => name !== values[0];
  return NEVER;
}

/** Matches the nodes that the pod may use by its node selector and required node affinity; undefined: all. */
export function requiredNodeMatcher(
  selector: Labels | undefined,
  affinity: Affinity | undefined,
): NodeMatcher | undefined {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const hasSelector = selector !== undefined && Object.keys(selector).length > 0;
  if (!hasSelector) return required === undefined ? undefined : nodeSelectorMatcher(required);
  const { matches } = selectorOf(equalities(selector));
  if (required === undefined) return ({ labels }) => matches(labels);
  const matchesRequired = nodeSelectorMatcher(required);
  return (node) => matches(node.labels) && matchesRequired(node);
}

/** A preference for some nodes. */
export interface PreferredNodes {
  readonly weight: number;
  readonly matches: NodeMatcher;
}

/** Preferences without weight or requirements do not count. */
export const preferredNodes = (terms: readonly PreferredSchedulingTerm[]): PreferredNodes[] =>
  terms
    .filter(({ weight = 0, preference = {} }) => weight !== 0 && !isNothing(preference))
    .map(({ weight = 0, preference = {} }) => ({ weight, matches: termMatcher(preference) }));

/**
 * The names of the only nodes that a required node affinity allows, where each of its terms names nodes: undefined
 * otherwise, empty if the names contradict each other.
 */
export function requiredNodeNames(affinity: Affinity | undefined): ReadonlySet<string> | undefined {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (terms === undefined || terms.length === 0) return undefined;
  const names = new Set<string>();
  for (const { matchFields = [] } of terms) {
    let ofTerm: string[] | undefined;
    for (const { key, operator, values = [] } of matchFields) {
      if (key !== 'metadata.name' || operator !== 'In') continue;
      ofTerm = ofTerm === undefined ? [...values] : ofTerm.filter((name) => values.includes(name));
    }
    if (ofTerm === undefined) return undefined;
    for (const name of ofTerm) names.add(name);
  }
  return names;
}
