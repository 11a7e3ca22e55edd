import { ProtobufReader } from './protobuf-reader.ts';

const reader = new ProtobufReader();

/**
 * Finds a string, bytes or message field without decoding the message.
 * @returns a view of the bytes of its last occurrence
 * @throws DecodeError when the message is malformed
 */
export function findDelimitedField(message: Uint8Array, field: number): Uint8Array | undefined {
  const wanted = (field << 3) | 2;
  const end = message.length;
  let found: Uint8Array | undefined;
  reader.buffer = Buffer.from(message.buffer, message.byteOffset, end);
  reader.position = 0;
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === wanted) {
      const next = reader.delimited(end);
      found = message.subarray(reader.position, next);
      reader.position = next;
    } else reader.skip(tag, end, 'message');
  }
  return found;
}
