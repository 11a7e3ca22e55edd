import type { KubernetesObject } from '../../model/object.ts';
import { AgeCell, type Cell, type TableColumn, type TableDefinition } from '../table.ts';

type ColumnType = 'string' | 'integer' | 'boolean' | 'date';

const columnOf =
  (priority: number) =>
  (name: string, description: string, type: ColumnType = 'string', format = ''): TableColumn => ({
    name,
    type,
    format,
    description,
    priority,
  });

/** Declares a column that is always displayed. */
export const column = columnOf(0);
/** Declares a column of wide output. */
export const wide = columnOf(1);

export const NAME = column('Name', 'Name of the object.', 'string', 'name');
export const AGE = column('Age', 'Time since the object was created.');
export const CREATED_AT = column('Created At', 'When the object was created.', 'date');

/** Defines a table over the generated type of a kind; it receives only objects of that kind. */
export function table<T extends object>(
  columns: readonly TableColumn[],
  cells: (object: T) => Cell[],
  conditions?: (object: T) => readonly object[] | undefined,
): TableDefinition {
  return {
    columns,
    cells: (object: KubernetesObject) => cells(object as T),
    ...(conditions === undefined
      ? {}
      : { conditions: (object: KubernetesObject) => conditions(object as T) }),
  };
}

interface Named {
  metadata?: { name?: string; creationTimestamp?: string | null };
}

export const nameOf = ({ metadata }: Named): string => metadata?.name ?? '';
export const ageOf = ({ metadata }: Named): AgeCell => new AgeCell(metadata?.creationTimestamp ?? undefined);
/** The cell of {@link CREATED_AT}; the zero time of Go when unknown. */
export const createdAtOf = ({ metadata }: Named): string =>
  metadata?.creationTimestamp ?? '0001-01-01T00:00:00Z';

/** Table with only name and age. */
export const NAME_AND_AGE = table<Named>([NAME, AGE], (object) => [nameOf(object), ageOf(object)]);

/** Table of kinds without columns of their own. */
export const DEFAULT_TABLE: TableDefinition = {
  ...table<Named>([NAME, CREATED_AT], (object) => [nameOf(object), createdAtOf(object)]),
  nullWhenEmpty: true,
};
