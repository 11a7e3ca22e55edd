import { envelopeMessage } from '../codec/envelope.ts';
import { findMember } from '../codec/json-members.ts';
import { decodeMetadata } from '../codec/protobuf.ts';
import type { StorageRow } from '../kinds/resource-row.ts';
import { internalTypes } from '../model/internal-types.ts';
import type { ObjectMeta } from '../model/object.ts';

/** Decodes the metadata of a stored value, and nothing else of it. Throws when it is malformed. */
export type MetadataReader = (value: Uint8Array) => ObjectMeta;

/** Returns the reader for values in an encoding of the store. It neither converts nor applies defaults. */
export const metadataReader = ({ encoding }: Pick<StorageRow, 'encoding'>): MetadataReader =>
  encoding === 'json' ? readJson : readEither;

/** Other servers may have stored the JSON of a kind whose encoding is protobuf. */
const readEither: MetadataReader = (value) => (value[0] === BRACE ? readJson(value) : readProtobuf(value));
const BRACE = 0x7b;

function readProtobuf(value: Uint8Array): ObjectMeta {
  return decodeMetadata(internalTypes.type('meta_v1.ObjectMeta'), envelopeMessage(value)) as ObjectMeta;
}

/** Scans compact JSON, as servers store it, for the metadata; other JSON is parsed. */
function readJson(value: Uint8Array): ObjectMeta {
  const found = findMember(value, 0, 'metadata');
  const bytes = found === undefined ? value : value.subarray(found.valueStart, found.valueEnd);
  const parsed: unknown = JSON.parse(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'),
  );
  const metadata = found === undefined ? (parsed as { metadata?: unknown }).metadata : parsed;
  return (metadata ?? {}) as ObjectMeta;
}
