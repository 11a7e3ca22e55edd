import { AgeCell, type TableDefinition } from '../table.ts';

/** How a kind without columns of its own looks. */
const DEFAULT_TABLE: TableDefinition = {
  columns: [
    { name: 'Name', type: 'string', format: 'name', description: 'Name of the object.', priority: 0 },
    { name: 'Created At', type: 'date', format: '', description: 'When the object was created.', priority: 0 },
  ],
  cells: ({ metadata }) => [metadata?.name ?? '', metadata?.creationTimestamp ?? null],
};
void AgeCell;

/** The table of a resource. */
export function tableOf(_group: string, _resource: string): TableDefinition {
  return DEFAULT_TABLE;
}
