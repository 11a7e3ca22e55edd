import { isConditionTrue } from '../../model/conditions.ts';
import type { CustomResourceDefinition } from '../../model/generated/apiextensions-v1.ts';
import type { Life } from '../../model/life.ts';
import type { TableDefinition } from '../table.ts';
import { CREATED_AT, column, createdAtOf, NAME, nameOf, table, wide } from '../tables/define.ts';

/** The releases that show more of a definition than its name and time. */
const SHOWS_KIND: Life = { since: '1.37' };

/** The served versions, sorted, with a mark of the one that is stored. */
const versionsOf = ({ spec = {} }: CustomResourceDefinition): string =>
  (spec.versions ?? [])
    .filter(({ served }) => served)
    .map(({ name = '', storage }) => (storage ? `${name}(storage)` : name))
    .sort()
    .join(',');

/** The table of definitions. */
export const definitionTable: TableDefinition = {
  ...table<CustomResourceDefinition>(
    [
      NAME,
      { ...column('Scope', 'Whether objects are in namespaces.'), ...SHOWS_KIND },
      { ...column('Versions', 'Versions that are served.'), ...SHOWS_KIND },
      CREATED_AT,
      { ...wide('Group', 'API group.'), ...SHOWS_KIND },
      { ...wide('Kind', 'Kind of the objects.'), ...SHOWS_KIND },
      { ...wide('ShortNames', 'Short names.'), ...SHOWS_KIND },
      { ...wide('Established', 'Whether objects can be created.', 'boolean'), ...SHOWS_KIND },
    ],
    (object) => {
      const { scope = '', group = '', names = {} } = object.spec ?? {};
      return [
        nameOf(object),
        scope,
        versionsOf(object),
        createdAtOf(object),
        group,
        names.kind ?? '',
        (names.shortNames ?? []).join(','),
        isConditionTrue(object.status?.conditions, 'Established'),
      ];
    },
  ),
  nullWhenEmpty: true,
};
