import { quote } from '../errors/quote.ts';
import { shortened } from '../errors/shown.ts';
import { type ApiError, errors } from '../status/index.ts';
import type { FieldSet } from './field-set.ts';
import type { Manager } from './managed.ts';
import { formatPath } from './path-element.ts';

/** Fields of another manager that an apply would change. */
export interface Conflict {
  readonly manager: Manager;
  readonly fields: FieldSet;
}

/** Maximum fields and characters of fields that the error names. */
const MAXIMUM_FIELDS = 1000;
const MAXIMUM_CHARACTERS = 256 * 1024;

/** The 409 error for conflicts, one cause per field; of very many, the first fields of each manager in order. */
export function conflictError(conflicts: readonly Conflict[]): ApiError {
  let count = 0;
  let left = MAXIMUM_CHARACTERS;
  let named = 0;
  const owners = conflicts
    .map(({ manager, fields }) => ({ manager: formatManager(manager), fields }))
    .sort((a, b) => (a.manager < b.manager ? -1 : 1))
    .map(({ manager, fields }) => {
      const paths: string[] = [];
      for (const path of fields.paths(MAXIMUM_FIELDS - named)) {
        if (left <= 0) break;
        const text = shortened(formatPath(path));
        left -= text.length;
        named += 1;
        paths.push(text);
      }
      count += fields.size;
      return { manager, paths };
    })
    .filter(({ paths }) => paths.length > 0);
  const causes = owners.flatMap(({ manager, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${manager}`, field })),
  );
  if (count === 1)
    return errors.applyConflict(
      causes,
      `Apply failed with 1 conflict: ${causes[0]!.message}: ${causes[0]!.field}`,
    );
  const text = owners
    .map(({ manager, paths }) => `conflicts with ${manager}:\n${paths.map((path) => `- ${path}`).join('\n')}`)
    .join('\n');
  const others = count > named ? `\n- and ${count - named} more` : '';
  return errors.applyConflict(causes, `Apply failed with ${count} conflicts: ${text}${others}`);
}

function formatManager({ name, operation, apiVersion, subresource }: Manager): string {
  return `${quote(name)}${subresource === '' ? '' : ` with subresource ${quote(subresource)}`}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}
