import type { Dialect, Schema } from './document.ts';
import { DOCUMENT_V2 } from './protobuf-v2.ts';
import { DOCUMENT_V3 } from './protobuf-v3.ts';
import { encodeTable } from './wire.ts';

/** Paths or definitions encoded without a pause. */
const MEMBERS_PER_PART = 100;

/**
 * Encodes a document as protobuf, which older clients request.
 * @param pause awaited between its parts, to yield to the event loop
 */
export async function encodeOpenApi(
  document: Schema,
  dialect: Dialect,
  pause: () => Promise<void>,
): Promise<Buffer> {
  const table = dialect === 'v2' ? DOCUMENT_V2 : DOCUMENT_V3;
  const parts: Buffer[] = [];
  for (const part of partsOf(document)) {
    parts.push(encodeTable(table, part));
    await pause();
  }
  return Buffer.concat(parts);
}

/** The document in parts: protobuf decoders merge repeated occurrences of a message. */
function* partsOf(document: Schema): Iterable<Schema> {
  for (const [name, member] of Object.entries(document)) {
    if (name !== 'paths' && name !== 'definitions') {
      yield { [name]: member };
      continue;
    }
    const members = Object.entries(member as object);
    for (let at = 0; at < members.length; at += MEMBERS_PER_PART)
      yield { [name]: Object.fromEntries(members.slice(at, at + MEMBERS_PER_PART)) };
  }
}
