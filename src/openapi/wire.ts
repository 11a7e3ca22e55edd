/** A little protobuf writer for documents that are plain JSON: which member is which field is told by tables. */

/** Writes the value of one member as fields of this number; lists give a field for each item. */
export type FieldWriter = (number: number, value: unknown) => Buffer;
/** Fields by member name. `extensions` is the number of members that begin with `x-`. */
export interface MessageTable {
  readonly fields: Readonly<Record<string, readonly [number: number, writer: FieldWriter]>>;
  readonly extensions?: number;
}

const EMPTY = Buffer.alloc(0);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest);
  return Buffer.from(bytes);
}

/** A length-delimited field. */
export function delimited(number: number, payload: Uint8Array): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(payload.length), payload]);
}

export const text: FieldWriter = (number, value) => delimited(number, Buffer.from(String(value)));
export const flag: FieldWriter = (number, value) => (value === true ? Buffer.concat([varint(number * 8), varint(1)]) : EMPTY);

/** A field for each item of a list. */
export const each =
  (writer: FieldWriter): FieldWriter =>
  (number, value) =>
    Buffer.concat((value as unknown[]).map((item) => writer(number, item)));

/** Any value, as the YAML text that readers expect: JSON is YAML too. */
export const any: FieldWriter = (number, value) => delimited(number, text(2, `${JSON.stringify(value)}\n`));

/** A message by its table; asked for late, since messages are recursive. */
export const message =
  (table: () => MessageTable): FieldWriter =>
  (number, value) =>
    delimited(number, encodeTable(table(), value as object));

/** A message with this one field. */
export const within =
  (inner: number, writer: FieldWriter): FieldWriter =>
  (number, value) =>
    delimited(number, writer(inner, value));

/** A field for each member of an object: its name as field 1, its value as field 2. */
export const named =
  (writer: FieldWriter): FieldWriter =>
  (number, value) =>
    Buffer.concat(Object.entries(value as object).map(([name, member]) => delimited(number, Buffer.concat([text(1, name), writer(2, member)]))));

/** One of two forms, by whether the value refers to another. */
export const orReference =
  (other: readonly [number, FieldWriter], reference: number): FieldWriter =>
  (number, value) => {
    const { $ref } = value as { $ref?: string };
    return delimited(number, $ref === undefined ? other[1](other[0], value) : delimited(reference, text(1, $ref)));
  };

export function encodeTable({ fields, extensions }: MessageTable, value: object): Buffer {
  const parts: Buffer[] = [];
  for (const [name, member] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field !== undefined) parts.push(field[1](field[0], member));
    else if (extensions !== undefined && name.startsWith('x-')) parts.push(named(any)(extensions, { [name]: member }));
  }
  return Buffer.concat(parts);
}
