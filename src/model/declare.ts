/**
 * The syntax of the type declarations in `types/`.
 *
 * A declaration file is plain text, parsed when one of its types is first used. A block starts with a type;
 * its fields follow, indented, in protobuf order:
 *
 *     PodTemplate kind                            flags: kind[=Name] typeMeta form=… items=… map=atomic unpublished
 *       @json metadata template                   JSON member order where it differs from protobuf order
 *       @union type localhostProfile=Localhost    discriminator, then member=value pairs
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
 * - in enums `|` separates values and `+` represents a space.
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

function modifiers(words: readonly string[]): Modifiers {
  const flags = new Set<string>();
  const options = new Map<string, string>();
  for (const word of words) {
    const equals = word.indexOf('=');
    if (equals < 0) flags.add(word);
    else options.set(word.slice(0, equals), word.slice(equals + 1));
  }
  return { flags, options };
}

function parseField(words: readonly string[]): FieldDeclaration {
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
    ...modifiers(words.slice(3)),
  };
}

/** Parses one block of a declaration text. */
export function parseType(block: string): TypeDeclaration {
  const [head, ...lines] = block.trimEnd().split('\n');
  const [name, ...words] = head!.split(' ');
  const fields: FieldDeclaration[] = [];
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
    else fields.push(parseField([first, ...rest]));
  }
  return { name: name!, fields, jsonOrder, unions, ...modifiers(words) };
}

/** Splits a declaration text into its blocks, by type name. */
export function blocksByName(text: string): Map<string, string> {
  const blocks = new Map<string, string>();
  for (const block of text.trim().split('\n\n')) blocks.set(/^\S+/.exec(block)![0], block);
  return blocks;
}
