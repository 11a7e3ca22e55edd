import { jsonTypeOf } from '../../codec/type-meta.ts';
import { unescapeToken } from '../../patch/index.ts';
import { isContainer } from '../../schema/structural/json.ts';

/** An operation of a JSON Patch, as a webhook sent it. */
export interface Operation {
  readonly op?: unknown;
  readonly path?: unknown;
  readonly from?: unknown;
  readonly value?: unknown;
}

const MISSING = 'missing value';
/** Go formats an error that is nil. */
const SCALAR_ROOT = 'replace operation value must be object or array: %!w(<nil>)';

/**
 * Why an operation does not apply to a document, in the words of the reference's library; undefined if it does
 * not tell.
 */
export function failureOf(document: unknown, operation: Operation | null): string | undefined {
  const { op, path, from } = operation ?? {};
  if (typeof op !== 'string') return 'Unexpected kind: unknown';
  switch (op) {
    case 'add':
    case 'remove':
      return typeof path === 'string'
        ? targetFailure(document, op, path)
        : `${op} operation failed to decode path: ${MISSING}`;
    case 'replace':
    case 'test':
      return unreadable(op, 'path', path) ?? targetFailure(document, op, path as string);
    case 'move':
    case 'copy':
      return (
        unreadable(op, 'from', from) ??
        sourceFailure(document, op, from as string) ??
        unreadable(op, 'path', path) ??
        destinationFailure(document, op, path as string, from as string)
      );
    default:
      return `Unexpected kind: ${op}`;
  }
}

function unreadable(op: string, member: 'path' | 'from', value: unknown): string | undefined {
  if (typeof value === 'string') return undefined;
  const reason =
    value === undefined || value === null
      ? `operation${member === 'from' ? ',' : ''} missing ${member} field: ${MISSING}`
      : `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type string`;
  return `${op} operation failed to decode ${member}: ${reason}`;
}

function targetFailure(
  document: unknown,
  op: 'add' | 'remove' | 'replace' | 'test',
  path: string,
): string | undefined {
  if (path === '' && (op === 'replace' || op === 'test'))
    return op === 'test' ? failedTest(path) : SCALAR_ROOT;
  const found = containerOf(document, path);
  const shown = op === 'add' || op === 'remove' ? `"${path}"` : path;
  if (found === undefined)
    return op === 'test'
      ? `test operation does not apply: is missing path: ${path}: ${MISSING}`
      : `${op} operation does not apply: doc is missing path: ${shown}: ${MISSING}`;
  const { container, key } = found;
  const failure = op === 'add' ? additionFailure(container, key) : accessFailure(container, key);
  if (op === 'test')
    return failure === undefined ? failedTest(path) : `error in test for path: '${path}': ${failure}`;
  if (op === 'replace')
    return failure && `replace operation does not apply: doc is missing key: ${path}: ${MISSING}`;
  const reason = failure ?? (op === 'remove' ? absentKey(key) : undefined);
  return reason && `error in ${op} for path: '${path}': ${reason}`;
}

function sourceFailure(document: unknown, op: 'move' | 'copy', from: string): string | undefined {
  const found = containerOf(document, from);
  if (found === undefined)
    return `${op} operation does not apply: doc is missing from path: ${from}: ${MISSING}`;
  const { container, key } = found;
  const isAbsent = op === 'move' && !Array.isArray(container) && !Object.hasOwn(container, key);
  const failure = accessFailure(container, key) ?? (isAbsent ? absentKey(key) : undefined);
  if (failure === undefined) return undefined;
  return op === 'move'
    ? `error in move for path: '${key}': ${failure}`
    : `error in copy for from: '${from}': ${failure}`;
}

function destinationFailure(
  document: unknown,
  op: 'move' | 'copy',
  path: string,
  from: string,
): string | undefined {
  // What a move takes away cannot hold it.
  const found = op === 'move' && path.startsWith(`${from}/`) ? undefined : containerOf(document, path);
  if (found === undefined)
    return `${op} operation does not apply: doc is missing destination path: ${path}: ${MISSING}`;
  const failure = additionFailure(found.container, found.key);
  return failure && `error in ${op} for path: '${path}': ${failure}`;
}

const failedTest = (path: string): string => `testing value ${path} failed: test failed`;

const absentKey = (key: string): string => `Unable to remove nonexistent key: ${key}: ${MISSING}`;

/** The object or list that has, or would have, the value at a JSON Pointer. */
function containerOf(
  document: unknown,
  pointer: string,
): { readonly container: object; readonly key: string } | undefined {
  const tokens = pointer.split('/').slice(1).map(unescapeToken);
  const key = tokens.pop();
  let current = document;
  for (const token of tokens) {
    if (!isContainer(current) || !Object.hasOwn(current, token)) return undefined;
    current = (current as Readonly<Record<string, unknown>>)[token];
  }
  return key !== undefined && isContainer(current) ? { container: current, key } : undefined;
}

const accessFailure = (container: object, key: string): string | undefined =>
  Array.isArray(container) ? indexFailure(key, container.length - 1) : undefined;

function additionFailure(container: object, key: string): string | undefined {
  if (!Array.isArray(container) || key === '-') return undefined;
  const failure = indexFailure(key, container.length);
  return failure?.startsWith('strconv') === true
    ? `value was not a proper array index: '${key}': ${failure}`
    : failure;
}

function indexFailure(key: string, last: number): string | undefined {
  if (!/^[+-]?\d+$/.test(key)) return `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
  const index = Number(key);
  return index > last || index < -(last + 1)
    ? `Unable to access invalid index: ${index}: invalid index referenced`
    : undefined;
}
