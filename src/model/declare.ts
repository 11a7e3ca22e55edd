import { isAlive, type Life, type Minor, parseLife } from './life.ts';

/**
 * The syntax of the type declarations in `types/`.
 *
 * A declaration file is plain text, parsed when one of its types is first used. A block starts with a type;
 * its fields follow, indented, in protobuf order:
 *
 *     PodTemplate kind                            flags: kind[=Name] typeMeta form=… items=… map=atomic unpublished
 *       @json metadata template                   JSON member order where it differs from protobuf order
 *       @union type localhostProfile=Localhost    discriminator (- for none), then member=value pairs
 *       template 2 PodTemplateSpec required       name, protobuf number (- for none), type, modifiers
 *
 * Types are scalars or messages (`Name` of the same family, `family.Name` of another), prefixed by `*`
 * (pointer: unset and zero differ), `[]` (list) or `map:` (map with string keys). The rest follows from
 * rules, unless a modifier overrides them:
 * - JSON includes an unset required scalar, which defaults to its zero value, and omits other unset scalars;
 *   it always includes messages, omits pointers, and writes an unset required list as null. Overrides:
 *   `shown` and `omitted`, `nodefault` and `default=JSON`.
 * - protobuf writes unset scalars and messages but no unset bytes, pointers, lists and maps. Overrides:
 *   `written` and `skipped`.
 * - the merge key of `patch=merge` is the only key of `list=map(key)` unless given as `patch=merge(key)`.
 * - `go=Name` is the Go type of a string that has one of its own, `go=package.Name` that of another package.
 * - in enums `|` separates values and `_` represents a space.
 *
 * Without a mark, all of it belongs to every release. Marks name the first release that has something and the first
 * that no longer has it (`parseLife`):
 * - `since=1.34` and `until=1.36` of a type or field. A field whose type changes is declared once for each form.
 * - `required@1.33`, `default@-1.34=0`, `list@1.33-1.35=set`: a modifier of some releases.
 * - `enum=Always|Never@1.34`: a value of some releases.
 */
export interface Declarations {
  /** First part of the type names, for example `core_v1`. Several files can share a family. */
  readonly family: string;
  readonly group: string;
  readonly version: string;
  /** Protobuf package; absent for a family that exists only in JSON. */
  readonly protobuf?: string;
  /** The OpenAPI documents have no schemas of this family. */
  readonly unpublished?: boolean;
  /** The releases that have these types. */
  readonly life?: Life;
  readonly types: string;
}

/** The modifiers of a declaration line: a single word is a flag, `name=value` an option. */
export interface Modifiers {
  readonly flags: ReadonlySet<string>;
  readonly options: ReadonlyMap<string, string>;
}

export interface FieldDeclaration extends Modifiers {
  readonly name: string;
  /** 0 if protobuf does not have the field. */
  readonly number: number;
  readonly pointer: boolean;
  readonly shape: 'single' | 'list' | 'map';
  /** The name of a scalar or message, as written. */
  readonly type: string;
}

export interface TypeDeclaration extends Modifiers {
  readonly name: string;
  readonly fields: readonly FieldDeclaration[];
  readonly jsonOrder: readonly string[] | undefined;
  readonly unions: readonly { discriminator: string; members: readonly (readonly [string, string])[] }[];
}

const EVERY_RELEASE: Life = {};

const ENUMERATIONS: ReadonlySet<string> = new Set(['enum', 'itemsEnum']);

/** The values of an enumeration that a release has, without their marks. */
const valuesOf = (text: string, minor: Minor | undefined): string =>
  text.includes('@')
    ? text
        .split('|')
        .map((value) => value.split('@') as [string, string?])
        .filter(([, life]) => life === undefined || minor === undefined || isAlive(parseLife(life), minor))
        .map(([value]) => value)
        .join('|')
    : text;

/**
 * What a release has of the modifiers of a line. Without a release, all of them: of a modifier that stands more than
 * once, the last.
 */
function modifiers(words: readonly string[], minor: Minor | undefined): Modifiers {
  const flags = new Set<string>();
  const options = new Map<string, string>();
  for (const word of words) {
    const equals = word.indexOf('=');
    const left = equals < 0 ? word : word.slice(0, equals);
    const at = left.indexOf('@');
    if (at >= 0 && minor !== undefined && !isAlive(parseLife(left.slice(at + 1)), minor)) continue;
    const name = at < 0 ? left : left.slice(0, at);
    const value = word.slice(equals + 1);
    if (equals < 0) flags.add(name);
    else options.set(name, ENUMERATIONS.has(name) ? valuesOf(value, minor) : value);
  }
  return { flags, options };
}

const lifeOf = ({ options }: Modifiers): Life =>
  options.has('since') || options.has('until')
    ? parseLife(`${options.get('since') ?? ''}-${options.get('until') ?? ''}`)
    : EVERY_RELEASE;

/** Returns whether a release has what these modifiers belong to. */
const belongs = (declared: Modifiers, minor: Minor | undefined): boolean =>
  minor === undefined || isAlive(lifeOf(declared), minor);

function parseField(words: readonly string[], minor: Minor | undefined): FieldDeclaration {
  const [name, number, written] = words as [string, string, string];
  const pointer = written.startsWith('*');
  const bare = pointer ? written.slice(1) : written;
  const shape = bare.startsWith('[]') ? 'list' : bare.startsWith('map:') ? 'map' : 'single';
  const type = shape === 'list' ? bare.slice(2) : shape === 'map' ? bare.slice(4) : bare;
  return {
    name,
    number: number === '-' ? 0 : Number(number),
    pointer,
    shape,
    type,
    ...modifiers(words.slice(3), minor),
  };
}

/**
 * Parses one block of a declaration text.
 * @param minor the release whose fields and modifiers are taken; undefined: those of every release
 */
export function parseType(block: string, minor: Minor | undefined): TypeDeclaration {
  const [head, ...lines] = block.trimEnd().split('\n');
  const [name, ...words] = head!.split(' ');
  const fields = new Map<string, FieldDeclaration>();
  const unions: { discriminator: string; members: [string, string][] }[] = [];
  let jsonOrder: string[] | undefined;
  for (const line of lines) {
    const [first, ...rest] = line.trim().split(' ') as [string, ...string[]];
    if (first === '@json') jsonOrder = rest;
    else if (first === '@union')
      unions.push({
        discriminator: rest[0]!,
        members: rest.slice(1).map((pair) => pair.split('=') as [string, string]),
      });
    else {
      const field = parseField([first, ...rest], minor);
      if (belongs(field, minor)) fields.set(field.name, field);
    }
  }
  return {
    name: name!,
    fields: [...fields.values()],
    jsonOrder: jsonOrder?.filter((member) => fields.has(member)),
    unions: unions.map(({ discriminator, members }) => ({
      discriminator,
      members: members.filter(([member]) => fields.has(member)),
    })),
    ...modifiers(words, minor),
  };
}

/** Splits a declaration text into the blocks of the types that a release has, by type name. */
export function blocksByName(text: string, minor: Minor | undefined): Map<string, string> {
  const blocks = new Map<string, string>();
  for (const block of text.trim().split('\n\n')) {
    const [head] = block.split('\n', 1);
    const [name, ...words] = head!.split(' ');
    if (belongs(modifiers(words, minor), minor)) blocks.set(name!, block);
  }
  return blocks;
}
