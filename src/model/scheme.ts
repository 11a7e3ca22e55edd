import type { MessageType } from '../schema/message.ts';
import { compileType } from './compile.ts';
import { blocksByName, type Declarations, parseType } from './declare.ts';
import { allDeclarations } from './types/index.ts';

interface Family {
  readonly files: readonly Declarations[];
  /** Declaration blocks by type name with their file; filled on the first look-up in the family. */
  blocks: Map<string, { readonly file: Declarations; readonly block: string }> | undefined;
}

const families = new Map<string, Family>();
/** Families by `group/version`. */
const familiesByVersion = new Map<string, Set<string>>();
for (const file of allDeclarations) {
  families.set(file.family, {
    files: [...(families.get(file.family)?.files ?? []), file],
    blocks: undefined,
  });
  if (file.version === '') continue;
  const key = `${file.group}/${file.version}`;
  familiesByVersion.set(key, (familiesByVersion.get(key) ?? new Set()).add(file.family));
}

const compiled = new Map<string, MessageType>();
const kinds = new Map<string, ReadonlyMap<string, string>>();

function blocksOf(family: Family): NonNullable<Family['blocks']> {
  family.blocks ??= new Map(
    family.files.flatMap((file) =>
      [...blocksByName(file.types)].map(([name, block]) => [name, { file, block }] as const),
    ),
  );
  return family.blocks;
}

/** The message of this name (`<family>.<Type>`, for example `core_v1.PodSpec`), or undefined. */
export function findMessageType(name: string): MessageType | undefined {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const dot = name.indexOf('.');
  const family = families.get(name.slice(0, dot));
  const found = family === undefined ? undefined : blocksOf(family).get(name.slice(dot + 1));
  if (found === undefined) return undefined;
  const resolve = (target: string) =>
    messageType(target.includes('.') ? target : `${found.file.family}.${target}`);
  const type = compileType(found.file, parseType(found.block), resolve);
  compiled.set(name, type);
  return type;
}

/**
 * The message of this name.
 * @throws Error for a name that the model does not have, which is a programming error
 */
export function messageType(name: string): MessageType {
  const type = findMessageType(name);
  if (type === undefined) throw new Error(`the type model has no message ${name}`);
  return type;
}

/** Every message of the model, compiled. Takes some milliseconds the first time. */
export function allMessageTypes(): MessageType[] {
  return [...families].flatMap(([name, family]) =>
    [...blocksOf(family).keys()].map((type) => messageType(`${name}.${type}`)),
  );
}

/** Type names by kind, of one family. */
function kindsOf(name: string): ReadonlyMap<string, string> {
  let found = kinds.get(name);
  if (found === undefined) {
    const entries = [...blocksOf(families.get(name)!)].flatMap(([type, { block }]) => {
      const kind = /^\S+(?: \S+)*? kind(?:=(\S+))?(?: |$)/.exec(block.split('\n', 1)[0]!);
      return kind === null ? [] : [[kind[1] ?? type, `${name}.${type}`] as const];
    });
    found = new Map(entries);
    kinds.set(name, found);
  }
  return found;
}

/** Kinds that belong to every group version. */
const kindsInEveryGroupVersion: ReadonlySet<string> = new Set([
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'UpdateOptions',
  'WatchEvent',
]);
/** Machinery kinds encoded as `v1`. */
const machineryKinds: ReadonlySet<string> = new Set([
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
  'APIVersions',
  'List',
  'Status',
]);
/** Machinery kinds that `meta.k8s.io/v1beta1` shares with `v1`. */
const betaMachineryKinds: ReadonlySet<string> = new Set(['PartialObjectMetadata', 'Table', 'TableOptions']);

/** The message of a kind in this group version, or undefined for an unknown kind. */
export function kindType(group: string, version: string, kind: string): MessageType | undefined {
  const key = `${group}/${version}`;
  for (const family of familiesByVersion.get(key) ?? []) {
    const name = kindsOf(family).get(kind);
    if (name !== undefined) return messageType(name);
  }
  const shared = kindsInEveryGroupVersion.has(kind)
    ? familiesByVersion.has(key)
    : machineryKinds.has(kind)
      ? key === '/v1'
      : betaMachineryKinds.has(kind) && key === 'meta.k8s.io/v1beta1';
  return shared ? messageType(`meta_v1.${kind}`) : undefined;
}
