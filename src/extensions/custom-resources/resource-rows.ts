import { type ResourceRow, type SubresourceRow, storageRow, type Verb } from '../../kinds/resource-row.ts';
import { compareVersions } from '../../kinds/version-priority.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionVersion,
} from '../../model/generated/apiextensions-v1.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { isTerminating } from './definitions/served-state.ts';

/** In the order of discovery. */
const VERBS: readonly Verb[] = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
];
const TERMINATING_VERBS = VERBS.filter((verb) => !['create', 'patch', 'update'].includes(verb));
const SUBRESOURCE_VERBS: readonly Verb[] = ['get', 'patch', 'update'];

/**
 * Returns the resource of a definition in each served version, with the accepted names and without the
 * published schemas. While the definition is terminating, its objects cannot be created or changed.
 */
export function customResourceRows(
  definition: CustomResourceDefinition,
  has: RuleContext['has'],
): ResourceRow[] {
  const { group = '', scope, versions = [] } = definition.spec ?? {};
  const { plural, kind, listKind, singular, shortNames, categories } = namesOf(definition);
  const storage = versions.find((version) => version.storage === true);
  if (storage === undefined) return [];
  const verbs = isTerminating(definition, has) ? TERMINATING_VERBS : VERBS;
  const stored = storageRow(group, storage.name!, kind, { prefix: `${group}/${plural}`, encoding: 'json' });
  return versions
    .filter(({ served }) => served === true)
    .map((version) => ({
      group,
      version: version.name!,
      resource: plural,
      kind,
      listKind,
      singular,
      namespaced: scope === 'Namespaced',
      verbs,
      shortNames,
      categories,
      subresources: subresourcesOf(version, kind),
      fieldSelectors: (version.selectableFields ?? []).map(({ jsonPath = '' }) =>
        jsonPath.replace(/^\./, ''),
      ),
      life: {},
      optional: false,
      deprecationWarning: deprecationOf(group, version, kind, versions),
      storage: stored,
    }));
}

/** Accepted names; the wanted ones before any were accepted. */
function namesOf({ spec, status }: CustomResourceDefinition): Required<CustomResourceDefinitionNames> {
  const accepted = status?.acceptedNames;
  const names = accepted?.plural ? accepted : (spec?.names ?? {});
  const { plural = '', kind = '', shortNames = [], categories = [] } = names;
  return {
    plural,
    kind,
    listKind: names.listKind || `${kind}List`,
    singular: names.singular || kind.toLowerCase(),
    shortNames,
    categories,
  };
}

function subresourcesOf(
  { subresources = {} }: CustomResourceDefinitionVersion,
  kind: string,
): SubresourceRow[] {
  const { status, scale } = subresources;
  const verbs = SUBRESOURCE_VERBS;
  return [
    ...(status === undefined ? [] : [{ name: 'status', kind, group: undefined, version: undefined, verbs }]),
    ...(scale === undefined
      ? []
      : [{ name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs }]),
  ];
}

/** The warning of a deprecated version: its own, or one that names the newest served version to use instead. */
const deprecationOf = (
  group: string,
  { name, deprecated, deprecationWarning }: CustomResourceDefinitionVersion,
  kind: string,
  versions: readonly CustomResourceDefinitionVersion[],
): string | undefined => {
  if (deprecated !== true || deprecationWarning !== undefined)
    return deprecated === true ? deprecationWarning : undefined;
  const [newest] = versions
    .filter((one) => one.served === true && one.deprecated !== true)
    .map((one) => one.name!)
    .sort(compareVersions);
  const isNewer = newest !== undefined && compareVersions(newest, name!) < 0;
  return `${group}/${name} ${kind} is deprecated${isNewer ? `; use ${group}/${newest} ${kind}` : ''}`;
};
