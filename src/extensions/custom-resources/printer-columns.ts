import { writePlain } from '../../codec/json-plain.ts';
import { AgeCell, type Cell, type TableColumn, type TableDefinition } from '../../kinds/table.ts';
import type { CustomResourceColumnDefinition } from '../../model/generated/apiextensions-v1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { normalizeTime } from '../../model/time.ts';
import { Budget, compileJsonPath, type JsonPath, JsonPathError } from './json-path/index.ts';

/** Values that the cells of one row may visit in total; the cells beyond are empty. */
const VALUES_PER_ROW = 100_000;

/** The texts are part of the default table that clients receive. */
const NAME: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description:
    'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
  priority: 0,
};
/** The column of the age. */
export const AGE_COLUMN: CustomResourceColumnDefinition = {
  name: 'Age',
  type: 'date',
  description:
    'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
  jsonPath: '.metadata.creationTimestamp',
};
const DEFAULT_COLUMNS: readonly CustomResourceColumnDefinition[] = [AGE_COLUMN];

/**
 * Returns the table of a version: the name, then its `additionalPrinterColumns`, or the age if it has none.
 * Compiled on first use. Columns from the first one on whose path has a syntax error are left out, as in kube-apiserver.
 */
export function tableOfColumns(
  declared: readonly CustomResourceColumnDefinition[] | undefined,
): TableDefinition {
  let compiled: CompiledColumns | undefined;
  const compile = (): CompiledColumns => {
    compiled ??= compileColumns(declared === undefined || declared.length === 0 ? DEFAULT_COLUMNS : declared);
    return compiled;
  };
  return {
    get columns() {
      return compile().columns;
    },
    cells(object: KubernetesObject): Cell[] {
      const { columns, paths } = compile();
      const budget = new Budget(VALUES_PER_ROW);
      return [
        object.metadata?.name ?? '',
        ...paths.map((path, index) => cellOf(columns[index + 1]!.type, path.first(object, budget))),
      ];
    },
  };
}

interface CompiledColumns {
  readonly columns: readonly TableColumn[];
  /** Those of all columns but the first. */
  readonly paths: readonly JsonPath[];
}

function compileColumns(declared: readonly CustomResourceColumnDefinition[]): CompiledColumns {
  const columns: TableColumn[] = [NAME];
  const paths: JsonPath[] = [];
  for (const column of declared) {
    const path = pathOf(column);
    if (path === undefined) break;
    paths.push(path);
    columns.push(tableColumn(column));
  }
  return { columns, paths };
}

function pathOf({ jsonPath = '' }: CustomResourceColumnDefinition): JsonPath | undefined {
  try {
    return compileJsonPath(jsonPath);
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

function tableColumn(column: CustomResourceColumnDefinition): TableColumn {
  const { name = '', type = '', format = '', description = '', jsonPath = '', priority = 0 } = column;
  return {
    name,
    type,
    format,
    description:
      description === ''
        ? `Custom resource definition column (in JSONPath format): ${jsonPath}`
        : description,
    priority,
  };
}

/** The cell of a value in a column of a type; null if the value does not fit the type. */
function cellOf(type: string, value: unknown): Cell {
  if (value === undefined) return null;
  switch (type) {
    case 'string':
      return textOf(value);
    case 'integer':
      return isNumber(value) ? integerOf(value) : null;
    case 'number':
      return isNumber(value) ? Number(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageOf(value) : null;
    default:
      return null;
  }
}

const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

const LOWEST = -(2n ** 63n);
const isInt64 = (value: number | bigint): boolean => value >= LOWEST && value < -LOWEST;

/** A number without its fraction; one beyond 64 bits is the lowest integer, as in kube-apiserver. */
function integerOf(value: number | bigint): number | bigint {
  if (!isInt64(value)) return LOWEST;
  return typeof value === 'number' ? Math.trunc(value) : value;
}

/** Objects and lists are JSON; null is shown as kube-apiserver shows it. */
function textOf(value: unknown): string {
  if (value === null) return '<no value>';
  if (typeof value === 'object') return writePlain(value);
  return isNumber(value) ? numberText(value) : String(value);
}

/** A number as Go's `%v` writes it: a double has an exponent below 1e-4 and from 1e6, an integer has none. */
function numberText(value: number | bigint): string {
  if (Object.is(value, -0)) return '-0';
  if ((typeof value === 'bigint' || Number.isInteger(value)) && isInt64(value)) return String(BigInt(value));
  const double = Number(value);
  const [digits, exponent] = double.toExponential().split('e') as [string, string];
  const size = Number(exponent);
  if (size >= -4 && size < 6) return String(double);
  return `${digits}e${size < 0 ? '-' : '+'}${String(Math.abs(size)).padStart(2, '0')}`;
}

function ageOf(text: string): Cell {
  if (text === '' || text === 'null') return new AgeCell(undefined);
  try {
    return new AgeCell(normalizeTime(text) ?? undefined);
  } catch {
    return '<invalid>';
  }
}
