import { quote } from '../../errors/quote.ts';
import { joinShown, jsonShown } from '../../errors/shown.ts';
import type { LabelSelector } from '../../model/generated/meta-v1.ts';
import type { Life } from '../../model/life.ts';
import type { RuleContext } from '../../model/rule-context.ts';

/** The releases that show values in errors as JSON if they can; others show them like Go. */
const SHOWS_JSON: Life = { since: '1.34' };

/**
 * Formats values in error messages. Strings and numbers are printed as they are; a few common structures like
 * Go's `%#v`, others as JSON.
 */
export function formatGoStringMap(map: Readonly<Record<string, string>> | undefined): string {
  if (map === undefined) return 'map[string]string(nil)';
  const entries = joinShown(Object.keys(map).sort(), ', ', (key) => `${quote(key)}:${quote(map[key]!)}`);
  return `map[string]string{${entries}}`;
}

/** Formats a map of strings, as Go or as JSON. */
export function formatStringMap(
  map: Readonly<Record<string, string>> | undefined,
  { has }: RuleContext,
): string {
  if (!has(SHOWS_JSON)) return formatGoStringMap(map);
  return map === undefined ? 'null' : jsonShown(withSortedKeys(map));
}

/** Go writes the keys of a map in their order. */
const withSortedKeys = (map: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.keys(map)
      .sort()
      .map((key) => [key, map[key]!]),
  );

export const formatGoStrings = (list: readonly string[] | undefined): string =>
  list === undefined ? '[]string(nil)' : `[]string{${joinShown(list, ', ', (text) => quote(text))}}`;

/** Bytes printed of a value; long ones make unreadable errors. */
const MAXIMUM_BYTES = 1024;

/** Formats base64 encoded bytes as `[]byte{0x6e, 0x6f}`, in errors of bounded length. */
export function formatGoBytes(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  const shown = Array.from(bytes.subarray(0, MAXIMUM_BYTES), (byte) => `0x${byte.toString(16)}`);
  return `[]byte{${shown.join(', ')}${bytes.length > MAXIMUM_BYTES ? ', …' : ''}}`;
}

export function formatGoLabelSelector(selector: LabelSelector): string {
  const expressions =
    selector.matchExpressions === undefined
      ? '[]v1.LabelSelectorRequirement(nil)'
      : `[]v1.LabelSelectorRequirement{${joinShown(selector.matchExpressions, ', ', formatGoRequirement)}}`;
  return `v1.LabelSelector{MatchLabels:${formatGoStringMap(selector.matchLabels)}, MatchExpressions:${expressions}}`;
}

/** Formats a label selector, as Go or as JSON. */
export function formatLabelSelector(selector: LabelSelector | undefined, { has }: RuleContext): string {
  const isJson = has(SHOWS_JSON);
  if (selector === undefined) return isJson ? 'null' : '"null"';
  if (!isJson) return formatGoLabelSelector(selector);
  const { matchLabels, matchExpressions } = selector;
  return jsonShown({
    ...(matchLabels === undefined || Object.keys(matchLabels).length === 0
      ? {}
      : { matchLabels: withSortedKeys(matchLabels) }),
    ...(matchExpressions === undefined || matchExpressions.length === 0
      ? {}
      : { matchExpressions: matchExpressions.map(requirementInOrder) }),
  });
}

const requirementInOrder = ({ key = '', operator = '', values = [] }: Requirement): Requirement => ({
  key,
  operator,
  ...(values.length === 0 ? {} : { values }),
});

type Requirement = NonNullable<LabelSelector['matchExpressions']>[number];

const formatGoRequirement = ({ key = '', operator = '', values }: Requirement): string =>
  `v1.LabelSelectorRequirement{Key:${quote(key)}, Operator:${quote(operator)}, Values:${formatGoStrings(values)}}`;

export function formatGoIntOrString(value: number | string): string {
  return typeof value === 'number'
    ? `intstr.IntOrString{Type:0, IntVal:${value}, StrVal:""}`
    : `intstr.IntOrString{Type:1, IntVal:0, StrVal:${quote(value)}}`;
}

/** Formats a time as `2001-02-03 04:05:06 +0000 UTC`. */
export const formatGoTime = (time: string): string => `${time.replace('T', ' ').replace('Z', '')} +0000 UTC`;

/** Formats a time, as Go or as JSON. */
export function formatTime(time: string | undefined, { has }: RuleContext): string {
  if (!has(SHOWS_JSON)) return time === undefined ? '"null"' : formatGoTime(time);
  return time === undefined ? 'null' : quote(time);
}

export function formatGoValue(value: unknown): string {
  if (value === undefined || value === null) return '"null"';
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  return jsonShown(value);
}
