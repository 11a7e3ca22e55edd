import type { LabelSelector } from './generated/meta-v1.ts';

/**
 * Returns whether labels match a selector of an object: an empty selector selects everything, an absent one
 * nothing. An unknown operator matches nothing.
 */
export function labelSelectorMatches(
  selector: LabelSelector | undefined,
  labels: Readonly<Record<string, string>> = {},
): boolean {
  if (selector === undefined) return false;
  const labelOf = (key: string): string | undefined => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  const wanted = selector.matchLabels ?? {};
  const exact = Object.keys(wanted).every((key) => labelOf(key) === wanted[key]);
  return (
    exact &&
    (selector.matchExpressions ?? []).every(({ key = '', operator, values = [] }) => {
      const value = labelOf(key);
      switch (operator) {
        case 'In':
          return value !== undefined && values.includes(value);
        case 'NotIn':
          return value === undefined || !values.includes(value);
        case 'Exists':
          return value !== undefined;
        case 'DoesNotExist':
          return value === undefined;
        default:
          return false;
      }
    })
  );
}

/** Formats a selector as Go's protobuf messages print themselves. */
export function selectorMessage({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${matchLabels[key]},`);
  const requirements = matchExpressions.map(
    ({ key = '', operator = '', values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${requirements.join('')}},}`;
}

/** Formats a selector: `a=b,c in (d,e),!f`, sorted by key; empty when it is absent or empty. */
export function formatLabelSelector(selector: LabelSelector | undefined): string {
  if (selector === undefined) return '';
  const parts: [string, string][] = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => [
    key,
    `${key}=${value}`,
  ]);
  for (const { key = '', operator = '', values = [] } of selector.matchExpressions ?? []) {
    const list = `(${[...values].sort().join(',')})`;
    parts.push([
      key,
      operator === 'In'
        ? `${key} in ${list}`
        : operator === 'NotIn'
          ? `${key} notin ${list}`
          : operator === 'Exists'
            ? key
            : `!${key}`,
    ]);
  }
  return parts
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, text]) => text)
    .join(',');
}
