import type { PluginDeclaration } from '../../src/admission/plugins/declaration.ts';
import { ADMISSION_PLUGINS } from '../../src/admission/plugins/table.ts';
import { CONTROLLERS, type ControllerNeeds } from '../../src/controllers/table.ts';
import { FILTERS } from '../../src/filters/chain.ts';
import type { ControllerDeclaration } from '../../src/reconcile/declaration.ts';

/** A table of a page whose rows follow from a table of the source. */
export interface DocumentTable {
  /** Path of the page, from the root of the repository. */
  readonly page: string;
  /** The cells of its header, by which it is found. */
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** First cells of the last row before and the first row after them that are written by hand. */
  readonly between?: readonly [before: string, after: string];
}

const code = (text: string): string => `\`${text}\``;

const filters: DocumentTable = {
  page: 'docs/lifecycle.md',
  header: ['Step', 'File', 'Does', 'Ends the request with'],
  rows: FILTERS.map(({ name, files, does, ends }) => [name, files.map(code).join(', '), does, ends]),
  between: ['parse the path', 'router'],
};

const plugins: DocumentTable = {
  page: 'docs/admission.md',
  header: ['Plugin', 'By default', 'Does'],
  rows: (ADMISSION_PLUGINS as readonly PluginDeclaration[]).map(({ name, isDefault, isDeprecated, does }) => [
    code(name),
    isDefault ? 'on' : 'off',
    isDeprecated === true ? `${does}; deprecated` : does,
  ]),
};

const controllers: DocumentTable = {
  page: 'docs/controllers.md',
  header: ['Name', 'Older name', 'By default', 'Does'],
  rows: (CONTROLLERS as readonly ControllerDeclaration<ControllerNeeds>[]).map(
    ({ name, alias, isOffByDefault, does }) => [
      code(name),
      code(alias),
      isOffByDefault === true ? 'off' : 'on',
      does,
    ],
  ),
};

/** Every table of the documentation that follows from the source. */
export const DOCUMENT_TABLES: readonly DocumentTable[] = [filters, plugins, controllers];

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/**
 * Returns the text of a page with the rows of a table.
 * @throws Error for a page that does not have the table, or the rows between which they belong
 */
export function withTable(text: string, { page, header, rows, between }: DocumentTable): string {
  const lines = text.split('\n');
  const find = (what: string, test: (line: string, index: number) => boolean): number => {
    const found = lines.findIndex(test);
    if (found < 0) throw new Error(`${page} has no ${what}`);
    return found;
  };
  const head = find(`table ${rowOf(header)}`, (line) => line === rowOf(header));
  const isRowOf = (name: string) => (line: string, index: number) =>
    index > head && line.startsWith(`| ${name} |`);
  const last = between === undefined ? head + 1 : find(`row ${between[0]}`, isRowOf(between[0]));
  const next =
    between === undefined
      ? find('line after the table', (line, index) => index > head && !line.startsWith('|'))
      : find(`row ${between[1]}`, isRowOf(between[1]));
  return [...lines.slice(0, last + 1), ...rows.map(rowOf), ...lines.slice(next)].join('\n');
}
