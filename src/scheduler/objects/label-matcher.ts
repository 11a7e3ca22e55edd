import type { LabelSelector } from '../../model/generated/meta-v1.ts';
import { equalities, type LabelRequirement, selectorOf } from '../../model/label-selector.ts';

export type Labels = Readonly<Record<string, string>>;

export const NO_LABELS: Labels = {};

/** The value of a label; undefined if it is absent. */
export const labelOf = (labels: Labels, key: string): string | undefined =>
  Object.hasOwn(labels, key) ? labels[key] : undefined;

/** A label selector that was read once. Two with the same `key` match the same labels. */
export interface LabelMatcher {
  readonly key: string;
  /** It has no requirements and matches everything. */
  readonly isEmpty: boolean;
  matches(labels: Labels): boolean;
}

export const MATCHES_NOTHING: LabelMatcher = { key: '!', isEmpty: false, matches: () => false };
export const MATCHES_EVERYTHING: LabelMatcher = { key: '', isEmpty: true, matches: () => true };

const OPERATORS: Readonly<Record<string, LabelRequirement['operator']>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/** An absent selector matches nothing, an empty one everything. */
export function labelMatcher(selector: LabelSelector | undefined): LabelMatcher {
  if (selector === undefined) return MATCHES_NOTHING;
  const requirements = requirementsOf(selector);
  return requirements === undefined ? MATCHES_NOTHING : matcherOf(requirements);
}

/** Requirements that all have to be met. */
export function matcherOf(requirements: readonly LabelRequirement[]): LabelMatcher {
  if (requirements.length === 0) return MATCHES_EVERYTHING;
  const sorted = [...requirements].sort((left, right) => (left.key < right.key ? -1 : 1));
  const { matches } = selectorOf(sorted);
  const key = JSON.stringify(
    sorted.map(({ key, operator, values }) => [key, operator, ...[...values].sort()]),
  );
  return { key, isEmpty: false, matches };
}

/** The requirements of a selector; undefined if it has an operator that matches nothing. */
export function requirementsOf({
  matchLabels = {},
  matchExpressions = [],
}: LabelSelector): LabelRequirement[] | undefined {
  const requirements = equalities(matchLabels);
  for (const { key = '', operator = '', values = [] } of matchExpressions) {
    const known = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
    if (known === undefined) return undefined;
    requirements.push({ key, operator: known, values });
  }
  return requirements;
}
