import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../../openapi/document.ts';
import type { RequestContext } from '../../request/context.ts';
import type { MaybePromise } from '../../steps/steps.ts';
import type { Index } from './openapi-index.ts';
import type { Pause } from './time-slices.ts';

type Members = Readonly<Record<string, Schema>>;

/** The members of a version 2 document that an extension server contributes. */
export interface RemotePart {
  readonly paths: Members;
  readonly definitions: Members;
  readonly parameters: Members;
}

/** The OpenAPI documents of extension servers. */
export interface RemoteDocuments {
  /** The version 3 documents: their path with its hash, by name. Another map after each change. */
  readonly indexed: ReadonlyMap<string, string>;
  /** Responds with one of those documents, as the extension server does. */
  serve(context: RequestContext, name: string): MaybePromise<void>;
  /** Identifies {@link parts}; empty if there are none. */
  readonly partsHash: string;
  readonly parts: readonly RemotePart[];
}

const written = new WeakMap<
  Index,
  { readonly indexed: ReadonlyMap<string, string>; readonly text: string }
>();

/** The version 3 index with the documents of extension servers, which this server's own take precedence over. */
export function mergedAddresses(index: Index, { indexed }: RemoteDocuments): string {
  if (indexed.size === 0) return index.addresses;
  const known = written.get(index);
  if (known?.indexed === indexed) return known.text;
  const names = [...new Set([...index.entries.keys(), ...indexed.keys()])].sort();
  const paths = names.map((name) => {
    const hash = index.entries.get(name)?.hash;
    return [
      name,
      { serverRelativeURL: hash === undefined ? indexed.get(name) : `/openapi/v3/${name}?hash=${hash}` },
    ];
  });
  const text = JSON.stringify({ paths: Object.fromEntries(paths) });
  written.set(index, { indexed, text });
  return text;
}

/** The version 3 index for clients that reach the cluster below a path. @param prefix as `/clusters/a` */
export const prefixedAddresses = (addresses: string, prefix: string): string =>
  addresses.replaceAll('"serverRelativeURL":"/', `"serverRelativeURL":"${prefix}/`);

/** The merged members of several parts. */
export interface MergedParts {
  readonly paths: ReadonlyMap<string, Schema>;
  readonly definitions: ReadonlyMap<string, Schema>;
  readonly parameters: ReadonlyMap<string, Schema>;
}

/**
 * Merges parts: a definition with the name of another one and different content is renamed (`…_v2`), and so are
 * references to it. Of paths and parameters the first one counts.
 * @param own finds the definition of this server's own document
 */
export async function mergeParts(
  parts: readonly RemotePart[],
  own: (name: string) => Schema | undefined,
  pause: Pause,
): Promise<MergedParts> {
  const paths = new Map<string, Schema>();
  const definitions = new Map<string, Schema>();
  const parameters = new Map<string, Schema>();
  const operations = new Set<string>();
  for (const part of parts) {
    const renames = new Map<string, string>();
    const added: [name: string, schema: Schema][] = [];
    for (const [name, schema] of Object.entries(part.definitions)) {
      for (let number = 1; ; number++) {
        const candidate = number === 1 ? name : `${name}_v${number}`;
        const other = definitions.get(candidate) ?? own(candidate);
        if (other !== undefined && !sameDefinition(other, schema)) continue;
        if (other === undefined) added.push([candidate, schema]);
        if (number > 1) renames.set(name, candidate);
        break;
      }
      await pause();
    }
    for (const [name, schema] of added) {
      definitions.set(name, withReferences(schema, renames));
      await pause();
    }
    for (const [path, item] of Object.entries(part.paths)) {
      if (paths.has(path)) continue;
      paths.set(path, withOperationIds(withReferences(item, renames), operations));
      await pause();
    }
    for (const [name, parameter] of Object.entries(part.parameters))
      if (!parameters.has(name)) parameters.set(name, withReferences(parameter, renames));
  }
  return { paths, definitions, parameters };
}

const KINDS = 'x-kubernetes-group-version-kind';

/** Whether definitions are equal, apart from the kinds that they belong to. */
const sameDefinition = (left: Schema, right: Schema): boolean =>
  isDeepStrictEqual({ ...left, [KINDS]: undefined }, { ...right, [KINDS]: undefined });

const PREFIX = '#/definitions/';

/** Replaces references to renamed definitions; the depth is bounded by that of the parsed document. */
function withReferences<Value>(value: Value, renames: ReadonlyMap<string, string>): Value {
  if (renames.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => withReferences(one, renames)) as Value;
  const changed: Schema = Object.create(null);
  for (const [name, member] of Object.entries(value)) {
    const target =
      name === '$ref' && typeof member === 'string' && member.startsWith(PREFIX)
        ? renames.get(member.slice(PREFIX.length))
        : undefined;
    changed[name] = target === undefined ? withReferences(member, renames) : `${PREFIX}${target}`;
  }
  return changed as Value;
}

/** Makes the operation ids of a path unique. */
function withOperationIds(item: Schema, used: Set<string>): Schema {
  const changed = Object.entries(item).map(([method, operation]) => {
    const id = (operation as { operationId?: unknown } | null)?.operationId;
    if (typeof id !== 'string') return [method, operation];
    let unique = id;
    for (let number = 2; used.has(unique); number++) unique = `${id}_v${number}`;
    used.add(unique);
    return [method, { ...(operation as Schema), operationId: unique }];
  });
  return Object.fromEntries(changed);
}
