import { LiteralRecorder, literalsOf } from '../codec/number-literals.ts';
import { isJsonObject } from '../model/json-object.ts';
import { pointerTokens } from './pointer-tree.ts';
import type { Members } from './tree.ts';

/*
 * Numbers of a patch keep their literals: `5.0` is refused for an integer, and `1e3` is kept in a quantity, as
 * in a complete document. This transfers the literals that the parser recorded for the patch to the result.
 */

const isContainer = (value: unknown): value is Members => typeof value === 'object' && value !== null;
const memberOf = (container: unknown, key: string): unknown =>
  isContainer(container) && Object.hasOwn(container, key) ? container[key] : undefined;

/** @param merged result of the merge patch: its members are at the same paths as those of the patch */
export function keepMergedLiterals(patch: unknown, merged: unknown): unknown {
  const literals = literalsOf(patch);
  if (literals === undefined) return merged;
  const notes = new LiteralRecorder();
  const rest: [unknown, unknown][] = [[patch, merged]];
  for (let pair = rest.pop(); pair !== undefined; pair = rest.pop()) {
    const [from, to] = pair;
    if (!isContainer(from) || !isContainer(to)) continue;
    for (const [key, literal] of literals.get(from) ?? [])
      if (memberOf(to, key) === from[key]) notes.add(to, key, literal);
    for (const key of Object.keys(from))
      if (isContainer(from[key])) rest.push([from[key], memberOf(to, key)]);
  }
  notes.attachTo(merged);
  return merged;
}

/** @param patched result of the JSON Patch, which contains the values of the operations unchanged */
export function keepPatchedLiterals(operations: unknown, patched: unknown): unknown {
  const literals = literalsOf(operations);
  if (literals === undefined) return patched;
  const notes = new LiteralRecorder();
  for (const [container, members] of literals)
    for (const [key, literal] of members) notes.add(container, key, literal);
  for (const operation of Array.isArray(operations) ? operations : []) {
    if (!isJsonObject(operation) || typeof operation['path'] !== 'string') continue;
    const literal = literals.get(operation)?.get('value');
    const tokens = literal === undefined ? undefined : pointerTokens(operation['path']);
    if (tokens === undefined) continue;
    const container = tokens.slice(0, -1).reduce<unknown>(memberOf, patched);
    const last = tokens.at(-1)!;
    const key = last === '-' && Array.isArray(container) ? String(container.length - 1) : last;
    if (isContainer(container) && memberOf(container, key) === operation['value'])
      notes.add(container, key, literal!);
  }
  notes.attachTo(patched);
  return patched;
}
