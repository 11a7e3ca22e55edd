import type { LabelSelector } from '../../model/generated/meta-v1.ts';
import { formatLabelSelector } from '../../model/object-label-selector.ts';

/** Cell formats that several tables share. They match kube-apiserver: scripts parse them. */

export const orNone = (text: string | undefined): string =>
  text === undefined || text === '' ? '<none>' : text;
export const orUnknown = (text: string | undefined): string =>
  text === undefined || text === '' ? '<unknown>' : text;
export const orUnset = (text: string | undefined): string => text ?? '<unset>';
export const size = (map: object | undefined): number => (map === undefined ? 0 : Object.keys(map).length);

/** Formats labels as sorted `a=b,c=d`; `<none>` when there are none. */
export function formatLabels(labels: Readonly<Record<string, string>> | undefined): string {
  return orNone(
    Object.entries(labels ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .sort()
      .join(','),
  );
}

/** Formats a selector, requirements sorted by key; `<none>` when it is absent or empty. */
export const labelSelectorCell = (selector: LabelSelector | undefined): string =>
  orNone(formatLabelSelector(selector));

/** Joins the first `maximum` items, followed by the number of other items. */
export function firstOf(items: readonly string[], maximum: number, none: string, separator = ','): string {
  if (items.length === 0) return none;
  const text = items.slice(0, maximum).join(separator);
  return items.length > maximum ? `${text} + ${items.length - maximum} more...` : text;
}

/** Formats `address:port`, with brackets around an IPv6 address. */
export const hostPort = (address: string, port: number): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

const ACCESS_MODES = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

/** Formats the access modes of a volume in short form. */
export function formatAccessModes(modes: readonly string[] | undefined): string {
  return ACCESS_MODES.filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

interface PodShape {
  containers?: { name?: string; image?: string }[];
}

/** Returns two cells of a pod template: container names and images. */
export function containerCells(spec: PodShape | undefined): [string, string] {
  const containers = spec?.containers ?? [];
  return [
    containers.map(({ name }) => name ?? '').join(','),
    containers.map(({ image }) => image ?? '').join(','),
  ];
}

/** Returns the status of a condition, or undefined when it is absent. */
export function conditionStatus(
  conditions: readonly { type?: string; status?: string }[] | undefined,
  type: string,
): string | undefined {
  return conditions?.find((condition) => condition.type === type)?.status;
}

/** Returns whether an annotation is `true`. */
const isMarked = (annotations: Readonly<Record<string, string>> | undefined, ...keys: string[]): boolean =>
  annotations !== undefined &&
  keys.some((key) => Object.hasOwn(annotations, key) && annotations[key] === 'true');

/** Formats a boolean as `True` or `False`. */
export const enumOrNone = (value: boolean | undefined): string =>
  value === undefined ? '<unset>' : value ? 'True' : 'False';

/** Formats the addresses and host names of load balancers, sorted and without duplicates. */
export const balancerAddresses = (
  ingress: readonly { ip?: string; hostname?: string }[] | undefined,
): string =>
  [
    ...new Set(
      (ingress ?? []).map(({ ip, hostname }) => ip || hostname || '').filter((address) => address !== ''),
    ),
  ]
    .sort()
    .join(',');

/**
 * Formats the name of a class, marking a default class.
 * @param marks annotations of which one is `true` for a default class
 */
export const nameOfClass = (
  { metadata }: { metadata?: { name?: string; annotations?: Readonly<Record<string, string>> } },
  ...marks: string[]
): string => {
  const name = metadata?.name ?? '';
  return isMarked(metadata?.annotations, ...marks) ? `${name} (default)` : name;
};
