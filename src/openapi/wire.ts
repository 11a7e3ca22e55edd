/**
 * A minimal protobuf writer for documents in plain JSON; tables map members to fields. It writes from the
 * last byte to the first, so that the length of a message is known when its prefix is written.
 */
export class ReverseWriter {
  #buffer = Buffer.allocUnsafe(16 * 1024);
  /** The end of the next bytes. */
  #start = this.#buffer.length;

  /** The number of bytes written. */
  get length(): number {
    return this.#buffer.length - this.#start;
  }

  /** A length-delimited field with the content that `write` writes. */
  delimited(number: number, write: () => void): void {
    const before = this.length;
    write();
    this.varint(this.length - before);
    this.varint(number * 8 + 2);
  }

  text(number: number, value: string): void {
    const size = Buffer.byteLength(value);
    this.#room(size);
    this.#start -= size;
    this.#buffer.write(value, this.#start);
    this.varint(size);
    this.varint(number * 8 + 2);
  }

  flag(number: number, value: boolean): void {
    this.varint(value ? 1 : 0);
    this.varint(number * 8);
  }

  double(number: number, value: number): void {
    this.#room(8);
    this.#start -= 8;
    this.#buffer.writeDoubleLE(value, this.#start);
    this.varint(number * 8 + 1);
  }

  /** A field of an int64. */
  integer(number: number, value: bigint): void {
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, value);
    for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
    bytes.push(Number(rest));
    this.#room(bytes.length);
    this.#start -= bytes.length;
    this.#buffer.set(bytes, this.#start);
    this.varint(number * 8);
  }

  varint(value: number): void {
    let size = 1;
    for (let rest = value >>> 7; rest > 0; rest >>>= 7) size++;
    this.#room(size);
    this.#start -= size;
    let at = this.#start;
    let rest = value;
    for (; rest > 127; rest >>>= 7) this.#buffer[at++] = (rest & 127) | 128;
    this.#buffer[at] = rest;
  }

  finish(): Buffer {
    return Buffer.from(this.#buffer.subarray(this.#start));
  }

  #room(size: number): void {
    if (this.#start >= size) return;
    const larger = Buffer.allocUnsafe(2 * this.#buffer.length + size);
    const start = larger.length - this.length;
    this.#buffer.copy(larger, start, this.#start);
    this.#buffer = larger;
    this.#start = start;
  }
}

/** Writes the value of one member as fields of a number; lists write a field for each item. */
export type FieldWriter = (to: ReverseWriter, number: number, value: unknown) => void;
/** Fields by member name. `extensions` is the number of members that begin with `x-`. */
export interface MessageTable {
  readonly fields: Readonly<Record<string, readonly [number: number, writer: FieldWriter]>>;
  readonly extensions?: number;
}

export const text: FieldWriter = (to, number, value) => to.text(number, String(value));

/** Written only when true: an absent field means false. */
export const flag: FieldWriter = (to, number, value) => {
  if (value === true) to.flag(number, true);
};

export const double: FieldWriter = (to, number, value) => to.double(number, Number(value));

/** Whole numbers; others have no encoding. */
export const integer: FieldWriter = (to, number, value) => {
  if (typeof value === 'bigint' || Number.isInteger(value)) to.integer(number, BigInt(value as number));
};

/** A field for each item of a list. */
export const each =
  (writer: FieldWriter): FieldWriter =>
  (to, number, value) => {
    const items = value as readonly unknown[];
    for (let index = items.length - 1; index >= 0; index--) writer(to, number, items[index]);
  };

/** Any value, as YAML text: JSON is valid YAML. */
export const any: FieldWriter = (to, number, value) =>
  to.delimited(number, () => to.text(2, `${JSON.stringify(value)}\n`));

/** A message by its table, which is resolved lazily because messages are recursive. */
export const message =
  (table: () => MessageTable): FieldWriter =>
  (to, number, value) =>
    to.delimited(number, () => writeMembers(to, table(), value as object));

/** A message with this one field. */
export const within =
  (inner: number, writer: FieldWriter): FieldWriter =>
  (to, number, value) =>
    to.delimited(number, () => writer(to, inner, value));

/** A field for each member of an object: the name is field 1, the value is field 2. */
export const named =
  (writer: FieldWriter): FieldWriter =>
  (to, number, value) => {
    for (const [name, member] of Object.entries(value as object).reverse()) {
      to.delimited(number, () => {
        writer(to, 2, member);
        to.text(1, name);
      });
    }
  };

/** One of two forms, depending on whether the value is a reference. */
export const orReference =
  (other: readonly [number, FieldWriter], reference: number): FieldWriter =>
  (to, number, value) => {
    const { $ref } = value as { $ref?: string };
    to.delimited(number, () =>
      $ref === undefined ? other[1](to, other[0], value) : to.delimited(reference, () => to.text(1, $ref)),
    );
  };

/** A schema (field 1), or whether any value is permitted (field 2). */
export const orFlag =
  (schema: FieldWriter): FieldWriter =>
  (to, number, value) =>
    to.delimited(number, () => (typeof value === 'boolean' ? to.flag(2, value) : schema(to, 1, value)));

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** The operations of a path by method, in consecutive fields. @param first field of `get` */
export const operationsFrom = (first: number, operation: FieldWriter): MessageTable['fields'] =>
  Object.fromEntries(METHODS.map((method, index) => [method, [first + index, operation]]));

function writeMembers(to: ReverseWriter, { fields, extensions }: MessageTable, value: object): void {
  for (const [name, member] of Object.entries(value).reverse()) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field !== undefined) field[1](to, field[0], member);
    else if (extensions !== undefined && name.startsWith('x-'))
      named(any)(to, extensions, { [name]: member });
  }
}

/** Encodes a message by its table. */
export function encodeTable(table: MessageTable, value: object): Buffer {
  const to = new ReverseWriter();
  writeMembers(to, table, value);
  return to.finish();
}
