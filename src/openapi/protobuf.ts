import type { Dialect, Schema } from './document.ts';
import { DOCUMENT_V2 } from './protobuf-v2.ts';
import { DOCUMENT_V3 } from './protobuf-v3.ts';
import { encodeTable } from './wire.ts';

/** A document as the protobuf message that older clients ask for. */
export function encodeOpenApi(document: Schema, dialect: Dialect): Buffer {
  return encodeTable(dialect === 'v2' ? DOCUMENT_V2 : DOCUMENT_V3, document);
}
