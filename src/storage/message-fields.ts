import {
  writeBackwards,
  writeBytes,
  writeInteger,
  writeString,
  writeVarint,
} from '../codec/protobuf-writer.ts';

/* Writes protobuf messages that have no generated types: those of etcd and of key services. */

type Write = (buffer: Buffer, position: number) => number;

/** A field of a message, or nothing. */
export type WriteField = Write | false | undefined;

// Fields are written backwards: the value, then its tag.
export const integer =
  (field: number, value: number | bigint): Write =>
  (buffer, position) =>
    writeVarint(buffer, writeInteger(buffer, position, value), field << 3);
export const bytes =
  (field: number, value: Uint8Array): Write =>
  (buffer, position) =>
    writeVarint(buffer, writeBytes(buffer, position, value), (field << 3) | 2);
export const text =
  (field: number, value: string): Write =>
  (buffer, position) =>
    writeVarint(buffer, writeString(buffer, position, value), (field << 3) | 2);
/** A text with one byte per character. */
export const key =
  (field: number, value: string): Write =>
  (buffer, position) => {
    const start = position - value.length;
    if (start >= 0) buffer.write(value, start, value.length, 'latin1');
    return writeVarint(buffer, writeVarint(buffer, start, value.length), (field << 3) | 2);
  };
export const message =
  (field: number, ...fields: WriteField[]): Write =>
  (buffer, position) => {
    const start = all(fields)(buffer, position);
    return writeVarint(buffer, writeVarint(buffer, start, position - start), (field << 3) | 2);
  };
const all =
  (fields: readonly WriteField[]): Write =>
  (buffer, position) => {
    let at = position;
    for (let index = fields.length - 1; index >= 0; index -= 1) {
      const field = fields[index];
      if (field) at = field(buffer, at);
    }
    return at;
  };

/** Encodes the fields of a message. */
export const encode = (...fields: WriteField[]): Buffer => writeBackwards(all(fields));
