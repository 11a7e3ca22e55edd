import { quote } from '../../errors/quote.ts';
import { joinShown, jsonShown } from '../../errors/shown.ts';
import type { LabelSelector } from '../../model/generated/meta-v1.ts';

/**
 * Formats values in error messages. Strings and numbers are printed as they are; a few common structures like
 * Go's `%#v`, others as JSON.
 */
export function formatGoStringMap(map: Readonly<Record<string, string>> | undefined): string {
  if (map === undefined) return 'map[string]string(nil)';
  const entries = joinShown(Object.keys(map).sort(), ', ', (key) => `${quote(key)}:${quote(map[key]!)}`);
  return `map[string]string{${entries}}`;
}

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

const formatGoRequirement = ({
  key = '',
  operator = '',
  values,
}: NonNullable<LabelSelector['matchExpressions']>[number]): string =>
  `v1.LabelSelectorRequirement{Key:${quote(key)}, Operator:${quote(operator)}, Values:${formatGoStrings(values)}}`;

export function formatGoIntOrString(value: number | string): string {
  return typeof value === 'number'
    ? `intstr.IntOrString{Type:0, IntVal:${value}, StrVal:""}`
    : `intstr.IntOrString{Type:1, IntVal:0, StrVal:${quote(value)}}`;
}

/** Formats a time as `2001-02-03 04:05:06 +0000 UTC`. */
export const formatGoTime = (time: string): string => `${time.replace('T', ' ').replace('Z', '')} +0000 UTC`;

export function formatGoValue(value: unknown): string {
  if (value === undefined || value === null) return '"null"';
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  return jsonShown(value);
}
