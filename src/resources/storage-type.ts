import { BUILTIN_GROUPS } from '../kinds/index.ts';
import { groupResourceOf } from '../model/object.ts';
import { REGISTRY_ROOT } from './stored-resource.ts';

/** `resource.group` by storage prefix, of every release. Events of both groups are stored as those of the core group. */
const TYPES = new Map(
  BUILTIN_GROUPS.flat().flatMap(({ storagePrefix, group, resource }) =>
    storagePrefix === undefined || (storagePrefix === 'events' && group !== '')
      ? []
      : [[storagePrefix, groupResourceOf(group, resource)] as const],
  ),
);

/** Whether objects of a built-in kind, served or not, are stored under a prefix. */
export const isBuiltinPrefix = (prefix: string): boolean => TYPES.has(prefix);

/**
 * Returns the prefix below `/registry/` and the `resource.group` of a key. Built-in prefixes have one or two
 * segments; custom resources are stored below their group.
 */
export function storageTypeOf(key: string): [prefix: string, type: string] {
  const first = key.indexOf('/', REGISTRY_ROOT.length);
  const short = key.slice(REGISTRY_ROOT.length, first < 0 ? undefined : first);
  const type = TYPES.get(short);
  if (type !== undefined || first < 0) return [short, type ?? short];
  const second = key.indexOf('/', first + 1);
  const long = key.slice(REGISTRY_ROOT.length, second < 0 ? undefined : second);
  return [
    long,
    TYPES.get(long) ?? groupResourceOf(short, key.slice(first + 1, second < 0 ? undefined : second)),
  ];
}

/**
 * Returns the `resource.group` by which an EncryptionConfiguration names the values of a key; undefined for
 * values that are never encrypted: allocations, and the leases of servers.
 */
export function encryptedTypeOf(key: string): string | undefined {
  const [prefix, type] = storageTypeOf(key);
  if (TYPES.has(prefix)) return type;
  const slash = prefix.indexOf('/');
  // The group of custom resources has a dot.
  return slash > 0 && prefix.lastIndexOf('.', slash) > 0 ? type : undefined;
}
