import type { Dialect, Schema } from './document.ts';
import { DOCUMENT_V2 } from './protobuf-v2.ts';
import { DOCUMENT_V3 } from './protobuf-v3.ts';
import { encodeTable } from './wire.ts';

/** Paths or schemas encoded without a pause. */
const MEMBERS_PER_PART = 20;

/**
 * Encodes a document as protobuf, which older clients request.
 * @param pause awaited between its parts, to yield to the event loop
 */
export async function encodeOpenApi(
  document: Schema,
  dialect: Dialect,
  pause: () => Promise<void>,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const part of partsOf(document)) {
    parts.push(encodePart(part, dialect));
    await pause();
  }
  return Buffer.concat(parts);
}

/** Encodes members of a document. Decoders merge the concatenated parts. */
export const encodePart = (members: Schema, dialect: Dialect): Buffer =>
  encodeTable(dialect === 'v2' ? DOCUMENT_V2 : DOCUMENT_V3, members);

/** The document in parts: protobuf decoders merge repeated occurrences of a message. */
function* partsOf(document: Schema): Iterable<Schema> {
  for (const [name, member] of Object.entries(document)) {
    if (name === 'paths' || name === 'definitions') {
      for (const part of slicesOf(member as object)) yield { [name]: part };
    } else if (name === 'components') {
      const { schemas = {}, ...others } = member as Schema;
      for (const part of slicesOf(schemas as object)) yield { components: { schemas: part } };
      if (Object.keys(others).length > 0) yield { components: others };
    } else yield { [name]: member };
  }
}

function* slicesOf(members: object): Iterable<Schema> {
  const all = Object.entries(members);
  for (let at = 0; at < all.length; at += MEMBERS_PER_PART)
    yield Object.fromEntries(all.slice(at, at + MEMBERS_PER_PART));
}
