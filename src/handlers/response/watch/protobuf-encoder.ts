import type { CacheRecord, EventType } from '../../../cache/record.ts';
import { wrapDecodeError } from '../../../resources/corrupt-object.ts';
import { compiledSchema, encodeProtobufObject } from '../../../resources/object-schema.ts';
import type { ApiError } from '../../../status/index.ts';
import { bookmarkMetadata } from '../bookmark-metadata.ts';
import type { ViewContext } from '../view-context.ts';
import { protobufDocument } from '../views.ts';
import { objectType } from './bookmark-object.ts';
import { SharedEncoder } from './shared-encoder.ts';

/** Encodes events as frames of a protobuf stream. */
export class ProtobufEncoder extends SharedEncoder {
  readonly contentType: string;
  readonly text = false;

  constructor(view: ViewContext) {
    super(view);
    this.contentType = `${view.negotiated.contentType};stream=watch`;
  }

  protected frame(type: EventType, record: CacheRecord, revision: number): Uint8Array {
    return protobufFrame(
      type,
      wrapDecodeError(record.key, record.value, () => protobufDocument(this.view, record, revision)),
    );
  }

  bookmark(revision: number, initialEnd: boolean): Uint8Array {
    const metadata = bookmarkMetadata(this.view, revision, initialEnd);
    const { kind, apiVersion } = objectType(this.view);
    const schema =
      this.view.negotiated.projection === 'metadata'
        ? compiledSchema(this.view.resource.types.type('meta_v1.PartialObjectMetadata'))
        : this.view.resource.schema;
    const { value } = schema.fromPlain({ metadata });
    return protobufFrame('BOOKMARK', encodeProtobufObject(schema, { apiVersion, kind }, value));
  }

  error(error: ApiError): Uint8Array {
    const schema = compiledSchema(this.view.resource.types.type('meta_v1.Status'));
    const { value } = schema.fromPlain(error.toStatus());
    return protobufFrame('ERROR', encodeProtobufObject(schema, { apiVersion: 'v1', kind: 'Status' }, value));
  }
}

/**
 * Encodes a frame of a protobuf stream: four bytes of length, then a bare WatchEvent whose object has an
 * envelope.
 */
function protobufFrame(type: string, object: Uint8Array): Uint8Array {
  const name = Buffer.from(type);
  const raw = Buffer.concat([lengthField(1, object.length), object]);
  const event = Buffer.concat([lengthField(1, name.length), name, lengthField(2, raw.length), raw]);
  const frame = Buffer.allocUnsafeSlow(4 + event.length);
  frame.writeUInt32BE(event.length, 0);
  frame.set(event, 4);
  return frame;
}

function lengthField(number: number, length: number): Buffer {
  const bytes = [(number << 3) | 2];
  let rest = length;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
  return Buffer.from(bytes);
}
