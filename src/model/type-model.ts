import type { MessageType } from '../schema/message.ts';
import { compileType } from './compile.ts';
import { blocksByName, type Declarations, parseType } from './declare.ts';
import { isAlive, type Life, type Minor } from './life.ts';

/** Declarations that share the first part of their type names. */
class Family {
  readonly #files: Declarations[] = [];
  #blocks: ReadonlyMap<string, { readonly file: Declarations; readonly block: string }> | undefined;
  #kinds: ReadonlyMap<string, string> | undefined;

  constructor(
    readonly name: string,
    readonly minor: Minor | undefined,
  ) {}

  add(file: Declarations): void {
    this.#files.push(file);
    this.#blocks = undefined;
    this.#kinds = undefined;
  }

  /** Declaration blocks by type name with their file; made on the first look-up in the family. */
  get blocks(): ReadonlyMap<string, { readonly file: Declarations; readonly block: string }> {
    this.#blocks ??= new Map(
      this.#files.flatMap((file) =>
        [...blocksByName(file.types, this.minor)].map(([name, block]) => [name, { file, block }] as const),
      ),
    );
    return this.#blocks;
  }

  /** Type names by kind. */
  get kinds(): ReadonlyMap<string, string> {
    this.#kinds ??= new Map(
      [...this.blocks].flatMap(([type, { block }]) => {
        const kind = /^\S+(?: \S+)*? kind(?:=(\S+))?(?: |$)/.exec(block.split('\n', 1)[0]!);
        return kind === null ? [] : [[kind[1] ?? type, `${this.name}.${type}`] as const];
      }),
    );
    return this.#kinds;
  }
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

/** The types of one release or of all, each compiled from its declaration on first use. */
export class TypeModel {
  readonly #files = new Set<Declarations>();
  readonly #families = new Map<string, Family>();
  /** Families by `group/version`. */
  readonly #versions = new Map<string, Set<Family>>();
  readonly #compiled = new Map<string, MessageType>();

  readonly #minor: Minor | undefined;

  /**
   * @param files in any order; several can share a family
   * @param minor the release; undefined: the types and fields of every release
   */
  constructor(files: readonly Declarations[], minor?: Minor) {
    this.#minor = minor;
    for (const file of files)
      if (file.life === undefined || minor === undefined || isAlive(file.life, minor)) this.#add(file);
  }

  /** Returns whether the release has something with this life; the model of every release has all. */
  has(life: Life): boolean {
    return this.#minor === undefined || isAlive(life, this.#minor);
  }

  /** Adds declarations that were loaded later; those of a known file change nothing. */
  add(file: Declarations): void {
    if (!this.#files.has(file)) this.#add(file);
  }

  #add(file: Declarations): void {
    this.#files.add(file);
    let family = this.#families.get(file.family);
    if (family === undefined) {
      family = new Family(file.family, this.#minor);
      this.#families.set(file.family, family);
    }
    family.add(file);
    if (file.version === '') return;
    const key = `${file.group}/${file.version}`;
    this.#versions.set(key, (this.#versions.get(key) ?? new Set()).add(family));
  }

  /** The message of this name (`<family>.<Type>`, for example `core_v1.PodSpec`), or undefined. */
  find(name: string): MessageType | undefined {
    const known = this.#compiled.get(name);
    if (known !== undefined) return known;
    const dot = name.indexOf('.');
    const found = this.#families.get(name.slice(0, dot))?.blocks.get(name.slice(dot + 1));
    if (found === undefined) return undefined;
    const resolve = (target: string) =>
      this.type(target.includes('.') ? target : `${found.file.family}.${target}`);
    const type = compileType(found.file, parseType(found.block, this.#minor), resolve);
    this.#compiled.set(name, type);
    return type;
  }

  /**
   * The message of this name.
   * @throws Error for a name that the model does not have, which is a programming error
   */
  type(name: string): MessageType {
    const type = this.find(name);
    if (type === undefined) throw new Error(`the type model has no message ${name}`);
    return type;
  }

  /** Every message of the model, compiled. Takes some milliseconds the first time. */
  all(): MessageType[] {
    return [...this.#families.values()].flatMap(({ name, blocks }) =>
      [...blocks.keys()].map((type) => this.type(`${name}.${type}`)),
    );
  }

  /** The message of a kind in this group version, or undefined for an unknown kind. */
  ofKind(group: string, version: string, kind: string): MessageType | undefined {
    const key = `${group}/${version}`;
    for (const family of this.#versions.get(key) ?? []) {
      const name = family.kinds.get(kind);
      if (name !== undefined) return this.type(name);
    }
    const shared = kindsInEveryGroupVersion.has(kind)
      ? this.#versions.has(key)
      : machineryKinds.has(kind)
        ? key === '/v1'
        : betaMachineryKinds.has(kind) && key === 'meta.k8s.io/v1beta1';
    return shared ? this.type(`meta_v1.${kind}`) : undefined;
  }
}
