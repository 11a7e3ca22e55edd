import type { KubernetesObject } from '../../model/object.ts';
import { AgeCell, type Cell, type TableColumn, type TableDefinition } from '../table.ts';

type ColumnType = 'string' | 'integer' | 'boolean' | 'date';

/** A column that is always shown. */
export const column = (
  name: string,
  description: string,
  type: ColumnType = 'string',
  format = '',
): TableColumn => ({
  name,
  type,
  format,
  description,
  priority: 0,
});

/** A column of wide output. */
export const wide = (
  name: string,
  description: string,
  type: ColumnType = 'string',
  format = '',
): TableColumn => ({
  name,
  type,
  format,
  description,
  priority: 1,
});

export const NAME = column('Name', 'Name of the object.', 'string', 'name');
export const AGE = column('Age', 'Time since the object was created.');
export const CREATED_AT = column('Created At', 'When the object was created.', 'date');

/** A definition over the generated type of a kind; objects of that kind are all it is ever given. */
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

/** Tables that show nothing but name and age. */
export const NAME_AND_AGE = table<Named>([NAME, AGE], (object) => [nameOf(object), ageOf(object)]);

/** How a kind without columns of its own looks. */
export const DEFAULT_TABLE = table<Named>([NAME, CREATED_AT], (object) => [
  nameOf(object),
  object.metadata?.creationTimestamp ?? null,
]);
