import { isJsonObject } from '../model/json-object.ts';
import { pointerTokens } from './pointer-tree.ts';
import type { Members } from './tree.ts';

/** `[3].value.a.b` or `[3].value[0].b` in a path of a duplicate member of a JSON Patch. */
const INSIDE_VALUE = /^\[(\d+)\]\.value(?=[.[])/;

/**
 * The paths of duplicate members in the result of a JSON Patch, which kube-apiserver reports besides those in the
 * patch: it puts the text of a value into the result unless another operation decodes it.
 * @param duplicates paths in the patch
 * @param patched the result, which contains the values of the operations unchanged
 * @param decoded the containers that operations have decoded
 * @returns the paths by the path of the value that contains them
 */
export function keptDuplicates(
  patch: unknown,
  duplicates: readonly string[],
  patched: unknown,
  decoded: ReadonlySet<object>,
): Map<string, string[]> {
  const kept = new Map<string, string[]>();
  for (const path of duplicates) {
    const match = INSIDE_VALUE.exec(path);
    const operation: unknown = match && (patch as readonly unknown[])[Number(match[1])];
    const place = isJsonObject(operation) ? placeOf(operation, patched, decoded) : undefined;
    if (place === undefined) continue;
    const paths = kept.get(place) ?? [];
    kept.set(place, paths);
    paths.push(place + path.slice(match![0].length));
  }
  return kept;
}

/** The path of the value of an operation in the result, if it is there and was not decoded. */
function placeOf(
  { op, path, value }: Members,
  patched: unknown,
  decoded: ReadonlySet<object>,
): string | undefined {
  if ((op !== 'add' && op !== 'replace') || typeof path !== 'string' || decoded.has(value as object))
    return undefined;
  let container = patched;
  let place = '';
  for (const token of pointerTokens(path)?.slice(0, -1) ?? []) {
    place += pathOf(container, token);
    container = memberOf(container, token);
  }
  if (Array.isArray(container)) {
    const index = container.indexOf(value);
    return index < 0 ? undefined : `${place}[${index}]`.slice(1);
  }
  const name = pointerTokens(path)?.at(-1);
  if (name === undefined || memberOf(container, name) !== value) return undefined;
  return (place + pathOf(container, name)).slice(1);
}

const pathOf = (container: unknown, token: string): string =>
  Array.isArray(container) ? `[${token}]` : `.${token}`;

const memberOf = (container: unknown, key: string): unknown =>
  typeof container === 'object' && container !== null && Object.hasOwn(container, key)
    ? (container as Members)[key]
    : undefined;
