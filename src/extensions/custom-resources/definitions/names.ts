import { aggregate } from '../../../errors/aggregate.ts';
import { quote } from '../../../errors/quote.ts';
import type { Condition } from '../../../model/conditions.ts';
import type { CustomResourceDefinitionNames } from '../../../model/generated/apiextensions-v1.ts';

/** The names that are in use in a group. Kinds and list kinds are one pool, all other names another. */
export interface UsedNames {
  hasResource(name: string): boolean;
  hasKind(name: string): boolean;
}

/** The accepted names of a definition and its condition NamesAccepted. */
export interface NamesDecision {
  /** The names that the definition has or gets. */
  readonly acceptedNames: CustomResourceDefinitionNames;
  readonly condition: Condition;
}

/**
 * Decides which names a definition gets: those that it already has, and those that nobody uses. Short names
 * are accepted all together or not at all. Of several conflicts the last one is reported.
 * @param used the accepted names of the whole group, those of this definition included
 */
export function acceptNames(
  wanted: CustomResourceDefinitionNames,
  accepted: CustomResourceDefinitionNames,
  used: UsedNames,
): NamesDecision {
  let conflict: readonly [reason: string, message: string] | undefined;
  const accept = (
    member: 'plural' | 'singular' | 'kind' | 'listKind',
    reason: string,
    isUsed: (name: string) => boolean,
  ): string => {
    const name = wanted[member] ?? '';
    const own = accepted[member] ?? '';
    if (name === own || !isUsed(name)) return name;
    conflict = [reason, inUse(name)];
    return own;
  };
  const isResource = (name: string): boolean => used.hasResource(name);
  const isKind = (name: string): boolean => used.hasKind(name);

  const plural = accept('plural', 'PluralConflict', isResource);
  const singular = accept('singular', 'SingularConflict', isResource);
  const own = new Set(accepted.shortNames);
  const taken = new Set((wanted.shortNames ?? []).filter((name) => !own.has(name) && isResource(name)));
  const shortNames = taken.size === 0 ? wanted.shortNames : accepted.shortNames;
  if (taken.size > 0) conflict = ['ShortNamesConflict', aggregate([...taken].map(inUse))];
  const kind = accept('kind', 'KindConflict', isKind);
  const listKind = accept('listKind', 'ListKindConflict', isKind);

  return {
    acceptedNames: compact({ plural, singular, shortNames, kind, listKind, categories: wanted.categories }),
    condition:
      conflict === undefined
        ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
        : { type: 'NamesAccepted', status: 'False', reason: conflict[0], message: conflict[1] },
  };
}

const inUse = (name: string): string => `${quote(name)} is already in use`;

/** Drops empty members, except plural and kind, which are always present. */
function compact({
  plural = '',
  singular = '',
  shortNames = [],
  kind = '',
  listKind = '',
  categories = [],
}: CustomResourceDefinitionNames): CustomResourceDefinitionNames {
  return {
    plural,
    ...(singular === '' ? {} : { singular }),
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    kind,
    ...(listKind === '' ? {} : { listKind }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
  };
}

/** Whether two sets of names are equal; absent and empty members are. */
export function sameNames(
  one: CustomResourceDefinitionNames = {},
  other: CustomResourceDefinitionNames = {},
): boolean {
  return (
    SINGLE_NAMES.every((member) => (one[member] ?? '') === (other[member] ?? '')) &&
    sameList(one.shortNames, other.shortNames) &&
    sameList(one.categories, other.categories)
  );
}

const SINGLE_NAMES = ['plural', 'singular', 'kind', 'listKind'] as const;

const sameList = (one: readonly string[] = [], other: readonly string[] = []): boolean =>
  one === other || (one.length === other.length && one.every((name, index) => name === other[index]));

/** Whether a change of accepted names frees one of them for others. */
export function freesNames(
  current: CustomResourceDefinitionNames = {},
  previous: CustomResourceDefinitionNames = {},
): boolean {
  if (sameNames(current, previous)) return false;
  const resources = new Set([current.plural, current.singular, ...(current.shortNames ?? [])]);
  const kinds = new Set([current.kind, current.listKind]);
  return (
    [previous.plural, previous.singular, ...(previous.shortNames ?? [])].some(
      (name) => name && !resources.has(name),
    ) || [previous.kind, previous.listKind].some((name) => name && !kinds.has(name))
  );
}
