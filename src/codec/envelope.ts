import type { MessageType } from '../schema/message.ts';
import { DecodeError } from './decode-error.ts';
import { MAXIMUM_PARTS } from './parts.ts';
import { encoderOf } from './protobuf-encode.ts';
import { ProtobufReader } from './protobuf-reader.ts';
import { writeBackwards, writeString, writeVarint } from './protobuf-writer.ts';

/** Every protobuf body starts with these bytes, followed by a `runtime.Unknown`. */
const prefix = Buffer.from('k8s\0', 'latin1');
const typeMetaTag = 0x0a;
const rawTag = 0x12;
/** The empty contentEncoding and contentType that end every envelope. */
const emptyTail = Buffer.from([0x1a, 0, 0x22, 0]);

export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** The message: a view of the given bytes. */
  readonly raw: Uint8Array;
  readonly contentType: string;
  readonly contentEncoding: string;
}

function writeHead(buffer: Buffer, position: number, apiVersion: string, kind: string, size: number): number {
  let next = writeVarint(buffer, position, size);
  buffer[--next] = rawTag;
  const after = next;
  next = writeString(buffer, next, kind);
  buffer[--next] = 0x12;
  next = writeString(buffer, next, apiVersion);
  buffer[--next] = 0x0a;
  next = writeVarint(buffer, next, after - next);
  buffer[--next] = typeMetaTag;
  next -= prefix.length;
  if (next >= 0) prefix.copy(buffer, next);
  return next;
}

/**
 * The bytes before a message of `size` bytes, which is followed by {@link envelopeTail}; for bodies sent in
 * parts.
 */
export function envelopeHead(apiVersion: string, kind: string, size: number): Buffer {
  return writeBackwards((buffer, position) => writeHead(buffer, position, apiVersion, kind, size));
}

/** The bytes after every message. Must not be changed. */
export const envelopeTail: Buffer = emptyTail;

/** Wraps an encoded message, for request and response bodies and stored values. */
export function encodeEnvelope(apiVersion: string, kind: string, message: Uint8Array): Buffer {
  return Buffer.concat([envelopeHead(apiVersion, kind, message.length), message, emptyTail]);
}

/** Encodes and wraps a typed value. */
export function encodeObject(type: MessageType, apiVersion: string, kind: string, value: object): Buffer {
  const encoder = encoderOf(type);
  return writeBackwards((buffer, position) => {
    const end = position - emptyTail.length;
    if (end >= 0) emptyTail.copy(buffer, end);
    const start = encoder.run(buffer, end, value as never);
    return writeHead(buffer, start, apiVersion, kind, end - start);
  });
}

/** Whether bytes start like an envelope. */
export function hasEnvelope(bytes: Uint8Array): boolean {
  return (
    bytes.length >= 4 &&
    bytes[0] === prefix[0] &&
    bytes[1] === prefix[1] &&
    bytes[2] === prefix[2] &&
    bytes[3] === prefix[3]
  );
}

const reader = new ProtobufReader();
reader.limit = MAXIMUM_PARTS;

/**
 * Decodes an envelope without decoding its message.
 * @throws DecodeError when the bytes are not an envelope, TooManyPartsError when it has very many fields
 */
export function decodeEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new DecodeError('empty data');
  if (!hasEnvelope(bytes)) {
    throw new DecodeError(
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    );
  }
  const end = bytes.length;
  if (end === prefix.length) throw new DecodeError('empty body');
  const found = { apiVersion: '', kind: '', contentType: '', contentEncoding: '' };
  let rawStart = end;
  let rawEnd = end;
  reader.buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  reader.position = prefix.length;
  reader.fields = 0;
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === typeMetaTag) readTypeMeta(found, reader.delimited(end));
    else if (tag === rawTag) {
      rawEnd = reader.delimited(end);
      rawStart = reader.position;
      reader.position = rawEnd;
    } else if (tag === 0x1a) found.contentEncoding = reader.string(end);
    else if (tag === 0x22) found.contentType = reader.string(end);
    else reader.skip(tag, end, 'Unknown');
  }
  return { ...found, raw: bytes.subarray(rawStart, rawEnd) };
}

/** Position of a message in the bytes of its envelope. */
export interface MessageRange {
  start: number;
  end: number;
}

/**
 * Finds the message in an envelope without decoding the other fields.
 * @param into receives the result, so that measuring thousands of stored objects allocates nothing
 * @throws DecodeError when the bytes are not an envelope
 */
export function findEnvelopeMessage(bytes: Uint8Array, into: MessageRange): void {
  if (!hasEnvelope(bytes)) decodeEnvelope(bytes);
  const end = bytes.length;
  reader.buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, end);
  reader.position = prefix.length;
  reader.fields = 0;
  into.start = end;
  into.end = end;
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === rawTag) {
      into.end = reader.delimited(end);
      into.start = reader.position;
      reader.position = into.end;
    } else reader.skip(tag, end, 'Unknown');
  }
}

const range: MessageRange = { start: 0, end: 0 };

/**
 * Returns the message in an envelope as a view of the given bytes; other fields are skipped.
 * @throws DecodeError when the bytes are not an envelope
 */
export function envelopeMessage(bytes: Uint8Array): Uint8Array {
  findEnvelopeMessage(bytes, range);
  return bytes.subarray(range.start, range.end);
}

function readTypeMeta(found: { apiVersion: string; kind: string }, end: number): void {
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === 0x0a) found.apiVersion = reader.string(end);
    else if (tag === 0x12) found.kind = reader.string(end);
    else reader.skip(tag, end, 'TypeMeta');
  }
}
