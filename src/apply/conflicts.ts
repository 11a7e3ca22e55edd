import { quote } from '../errors/quote.ts';
import { type ApiError, errors } from '../status/index.ts';
import type { FieldSet } from './field-set.ts';
import type { Manager } from './managed.ts';
import { formatPath } from './path-element.ts';

/** Fields of another manager that an apply would change. */
export interface Conflict {
  readonly manager: Manager;
  readonly fields: FieldSet;
}

/** The 409 error for conflicts, one cause per field. */
export function conflictError(conflicts: readonly Conflict[]): ApiError {
  const owners = conflicts
    .map(({ manager, fields }) => ({
      manager: formatManager(manager),
      paths: fields.paths().map(formatPath),
    }))
    .sort((a, b) => (a.manager < b.manager ? -1 : 1));
  const causes = owners.flatMap(({ manager, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${manager}`, field })),
  );
  if (causes.length === 1)
    return errors.applyConflict(
      causes,
      `Apply failed with 1 conflict: ${causes[0]!.message}: ${causes[0]!.field}`,
    );
  const text = owners
    .map(({ manager, paths }) => `conflicts with ${manager}:\n${paths.map((path) => `- ${path}`).join('\n')}`)
    .join('\n');
  return errors.applyConflict(causes, `Apply failed with ${causes.length} conflicts: ${text}`);
}

function formatManager({ name, operation, apiVersion, subresource }: Manager): string {
  return `${quote(name)}${subresource === '' ? '' : ` with subresource ${quote(subresource)}`}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}
