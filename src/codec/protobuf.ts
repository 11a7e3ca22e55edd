import type { ObjectMeta } from '../model/object.ts';
import type { MessageType } from '../schema/message.ts';
import { Pace } from '../steps/pace.ts';
import type { Steps } from '../steps/steps.ts';
import { DecodeError } from './decode-error.ts';
import { type Decoder, decoderOf, decoderWithout, steppingDecoderOf } from './protobuf-decode.ts';
import { encoderOf, steppingEncoderOf } from './protobuf-encode.ts';
import { ProtobufReader } from './protobuf-reader.ts';
import { writeBackwards } from './protobuf-writer.ts';

const reader = new ProtobufReader();

/** The number of unknown fields that all decoded messages had so far. */
export const unknownFieldCount = (): number => reader.unknown;

/**
 * The protobuf message (without envelope) of a typed value. Unset fields are written as kube-apiserver does,
 * maps in key order.
 */
export function encodeMessage(type: MessageType, value: object): Buffer {
  const encoder = encoderOf(type);
  return writeBackwards((buffer, position) => encoder.run(buffer, position, value as never));
}

/** Bytes that fit without a second run: objects of the largest size do. */
const STEPPING_BUFFER_BYTES = 4 * 1024 * 1024;

/** {@link encodeMessage} in steps of some milliseconds. Memory is used for the written bytes only. */
export function* encodingMessage(type: MessageType, value: object): Steps<Buffer> {
  const encoder = steppingEncoderOf(type);
  const pace = new Pace();
  // Other messages are encoded during the pauses.
  let buffer = Buffer.allocUnsafeSlow(STEPPING_BUFFER_BYTES);
  let start = yield* encoder.run(buffer, buffer.length, value as never, pace);
  if (start < 0) {
    buffer = Buffer.allocUnsafeSlow(buffer.length - start);
    start = yield* encoder.run(buffer, buffer.length, value as never, pace);
  }
  return Buffer.from(buffer.subarray(start));
}

/** The same bytes as a Buffer. */
function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function decodeWith(
  decoder: Decoder,
  bytes: Uint8Array,
  from: number,
  end: number,
  untrusted: boolean,
  limit = Number.POSITIVE_INFINITY,
): unknown {
  reader.buffer = viewOf(bytes);
  reader.position = from;
  reader.depth = 0;
  reader.untrusted = untrusted;
  reader.fields = 0;
  reader.limit = limit;
  return decoder.run(reader, end, {});
}

/** {@link decodeMessage} in steps of some milliseconds. */
export function* decodingMessage(
  type: MessageType,
  bytes: Uint8Array,
  { untrusted = false, maximumParts = Number.POSITIVE_INFINITY }: DecodeOptions = {},
): Steps<object> {
  // Other messages are decoded during the pauses.
  const own = new ProtobufReader();
  own.buffer = viewOf(bytes);
  own.untrusted = untrusted;
  own.limit = maximumParts * FIELDS_PER_PART;
  const value = yield* steppingDecoderOf(type).run(own, bytes.length, {});
  reader.unknown += own.unknown;
  return value as object;
}

export interface DecodeOptions {
  /**
   * The bytes come from a client, not from the store: quantities are canonicalized and free-form JSON is
   * validated.
   */
  readonly untrusted?: boolean;
  /** Maximum parts of the value in its JSON; decoding stops at {@link FIELDS_PER_PART} times as many fields. */
  readonly maximumParts?: number;
}

/** Fields allowed per part of the same value in JSON: unset fields are often written. */
const FIELDS_PER_PART = 4;

/**
 * The typed value of a protobuf message (without envelope). Zero values of non-pointer fields, and empty
 * lists and maps, are absent; unknown fields are skipped. The result shares nothing with the bytes.
 * @throws DecodeError when the bytes are not such a message, TooManyPartsError
 */
export function decodeMessage(
  type: MessageType,
  bytes: Uint8Array,
  { untrusted = false, maximumParts = Number.POSITIVE_INFINITY }: DecodeOptions = {},
): object {
  const limit = maximumParts * FIELDS_PER_PART;
  return decodeWith(decoderOf(type), bytes, 0, bytes.length, untrusted, limit) as object;
}

const metadataDecoders = new WeakMap<MessageType, Decoder>();
const unread: ReadonlySet<string> = new Set(['managedFields']);

/**
 * Decodes only the metadata of a stored object's message, without its managed fields. Fast enough to index a
 * whole store at startup.
 * @param objectMeta the type of the metadata
 * @throws DecodeError when the message does not start with its metadata
 */
export function decodeMetadata(objectMeta: MessageType, bytes: Uint8Array): ObjectMeta {
  let decoder = metadataDecoders.get(objectMeta);
  if (decoder === undefined) {
    decoder = decoderWithout(objectMeta, unread);
    metadataDecoders.set(objectMeta, decoder);
  }
  if (bytes[0] !== 0x0a) throw new DecodeError('the message does not start with metadata');
  reader.buffer = viewOf(bytes);
  reader.position = 1;
  const end = reader.delimited(bytes.length);
  return decodeWith(decoder, reader.buffer, reader.position, end, false) as ObjectMeta;
}
