import { isJsonObject } from '../../model/json-object.ts';
import { Pace } from '../../steps/pace.ts';
import { stepSizes } from '../../steps/sizes.ts';
import type { Steps } from '../../steps/steps.ts';

type Schema = Record<string, unknown>;
type Members = Readonly<Record<string, Schema>>;

/** What an extension server contributes to the version 2 document. */
export interface SwaggerPart {
  readonly paths: Members;
  readonly definitions: Members;
  readonly parameters: Members;
}

const membersOf = (value: unknown): Members =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, Schema] => isJsonObject(entry[1])),
      )
    : {};

/**
 * Takes the paths below some prefixes from a Swagger document, in steps of some milliseconds. Definitions that
 * only other paths used are dropped. Undefined for another document.
 * @param prefixes `/apis/<group>/<version>`
 */
export function* readingSwagger(
  document: unknown,
  prefixes: readonly string[],
): Steps<SwaggerPart | undefined> {
  if (!isJsonObject(document) || document['swagger'] !== '2.0') return undefined;
  const all = membersOf(document['paths']);
  const definitions = membersOf(document['definitions']);
  const kept = Object.fromEntries(
    Object.entries(all).filter(([path]) =>
      prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)),
    ),
  );
  const usedBefore = yield* used(all, definitions);
  const usedNow = yield* used(kept, definitions);
  return {
    paths: kept,
    definitions: Object.fromEntries(
      Object.entries(definitions).filter(([name]) => usedNow.has(name) || !usedBefore.has(name)),
    ),
    parameters: membersOf(document['parameters']),
  };
}

const PREFIX = '#/definitions/';

/** The definitions that paths refer to, also indirectly. */
function* used(paths: Members, definitions: Members): Steps<ReadonlySet<string>> {
  const names = new Set<string>();
  const pending: unknown[] = Object.values(paths);
  const pace = new Pace(stepSizes.values);
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (pace.isPause()) yield;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'object' && member !== null) pending.push(member);
      if (name !== '$ref' || typeof member !== 'string' || !member.startsWith(PREFIX)) continue;
      const target = member.slice(PREFIX.length);
      if (names.has(target) || !Object.hasOwn(definitions, target)) continue;
      names.add(target);
      pending.push(definitions[target]);
    }
  }
  return names;
}
