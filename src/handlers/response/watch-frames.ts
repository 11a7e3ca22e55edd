import type { CacheEvent, CacheRecord, EventType } from '../../cache/record.ts';
import { parseJson } from '../../codec/json-parse.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { wrapDecodeError } from '../../resources/corrupt-object.ts';
import { compiledSchema, encodeProtobufObject, type ObjectSchema } from '../../resources/object-schema.ts';
import type { ApiError } from '../../status/index.ts';
import type { Steps } from '../../steps/steps.ts';
import type { ClusterClock } from '../../time/clock.ts';
import { jsonText } from './answer.ts';
import { bookmarkMetadata, LIST_BLUEPRINT } from './bookmark-metadata.ts';
import { tableJson } from './table-view.ts';
import type { ViewContext } from './view-context.ts';
import { jsonDocument, prepared, protobufDocument } from './views.ts';

/**
 * Encodes the frames of one watch, one per line regardless of `pretty`. All watchers of an event share the
 * frames of the same form.
 */
export interface EventEncoder {
  readonly contentType: string;
  /** Frames are text (WebSocket messages). */
  readonly text: boolean;
  event(type: EventType, record: CacheRecord, revision: number, event: CacheEvent | undefined): Uint8Array;
  /**
   * Prepares a large record for {@link event}; undefined when nothing is to be done. A watch without frames has
   * nothing to prepare.
   */
  prepare?(
    type: EventType,
    record: CacheRecord,
    revision: number,
    event: CacheEvent | undefined,
  ): Steps<CacheRecord> | undefined;
  /** Names the frames and the preparation, which watches of the same form share. */
  readonly form: string;
  /** @param initialEnd the bookmark that ends the initial state */
  bookmark(revision: number, initialEnd: boolean): Uint8Array;
  error(error: ApiError): Uint8Array;
}

/** @param now the cluster's time in milliseconds, for the ages in tables */
export async function eventEncoder(view: ViewContext, now: ClusterClock['now']): Promise<EventEncoder> {
  const { negotiated } = view;
  if (negotiated.projection !== 'metadata-list') return objectEncoder(view, now);
  return new SilentEncoder(
    await objectEncoder({ ...view, negotiated: { ...negotiated, projection: 'metadata' } }, now),
  );
}

async function objectEncoder(view: ViewContext, now: ClusterClock['now']): Promise<EventEncoder> {
  const { encoding, projection } = view.negotiated;
  if (encoding === 'protobuf') return new ProtobufEncoder(view);
  if (encoding === 'cbor') return new CborEncoder(view, await import('../../codec/cbor.ts'));
  return projection === 'table' ? new TableEncoder(view, now) : new JsonEncoder(view);
}

/** A metadata-list watch stays open and sends nothing but errors, as in kube-apiserver. */
class SilentEncoder implements EventEncoder {
  readonly text: boolean;
  readonly contentType: string;
  readonly form = 'silent';
  constructor(private readonly errors: EventEncoder) {
    this.text = errors.text;
    this.contentType = errors.contentType;
  }
  event(): Uint8Array {
    return NOTHING;
  }
  bookmark(): Uint8Array {
    return NOTHING;
  }
  error(error: ApiError): Uint8Array {
    return this.errors.error(error);
  }
}
const NOTHING = new Uint8Array(0);

/** Returns kind and apiVersion of the objects in the stream. */
function objectType({ resource, negotiated: { projection, metaVersion } }: ViewContext): {
  kind: string;
  apiVersion: string;
} {
  return projection === 'metadata'
    ? { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${metaVersion}` }
    : { kind: resource.row.kind, apiVersion: resource.apiVersion };
}

/** A bookmark's object: its metadata, and the fields that the kind always prints. */
function bookmarkJson(view: ViewContext, revision: number, initialEnd: boolean): string {
  const metadata = bookmarkMetadata(view, revision, initialEnd);
  const { kind, apiVersion } = objectType(view);
  if (view.negotiated.projection === 'metadata') return jsonText({ kind, apiVersion, metadata });
  const { schema } = view.resource;
  return schema.writeJson(schema.fromPlain({ metadata }).value, { kind, apiVersion });
}

const frameForm = ({ resource, negotiated: { encoding, projection, metaVersion } }: ViewContext): string =>
  `${encoding} ${projection} ${metaVersion} ${resource.form}`;

/**
 * Keys of the shared frames of a form. Created once per watch, because a newly concatenated string is slow to
 * look up.
 */
type FrameNames = Readonly<Record<EventType, string>>;
const frameNames = (form: string): FrameNames => ({
  ADDED: `ADDED ${form}`,
  MODIFIED: `MODIFIED ${form}`,
  DELETED: `DELETED ${form}`,
});

/** Returns the cached frame of an event, or a new frame for the initial state. */
function shared(event: CacheEvent | undefined, key: string, make: () => Uint8Array): Uint8Array {
  if (event === undefined) return make();
  event.frames ??= new Map();
  let frame = event.frames.get(key);
  if (frame === undefined) {
    frame = make();
    event.frames.set(key, frame);
  }
  return frame;
}

class JsonEncoder implements EventEncoder {
  readonly contentType = 'application/json';
  readonly text = true;
  readonly form: string;
  readonly #names: FrameNames;
  constructor(private readonly view: ViewContext) {
    this.form = frameForm(view);
    this.#names = frameNames(this.form);
  }

  prepare(
    type: EventType,
    record: CacheRecord,
    revision: number,
    event: CacheEvent | undefined,
  ): Steps<CacheRecord> | undefined {
    return event?.frames?.has(this.#names[type]) ? undefined : prepared(this.view, record, revision);
  }

  event(type: EventType, record: CacheRecord, revision: number, event: CacheEvent | undefined): Uint8Array {
    return shared(event, this.#names[type], () =>
      this.#frame(
        type,
        wrapDecodeError(record.key, record.value, () => jsonDocument(this.view, record, revision)),
      ),
    );
  }

  bookmark(revision: number, initialEnd: boolean): Uint8Array {
    return this.#frame('BOOKMARK', Buffer.from(`${bookmarkJson(this.view, revision, initialEnd)}\n`));
  }

  error(error: ApiError): Uint8Array {
    return this.#frame('ERROR', Buffer.from(`${jsonText(error.toStatus())}\n`));
  }

  /** @param object a document with its newline */
  #frame(type: string, object: Uint8Array): Uint8Array {
    return Buffer.concat([
      Buffer.from(`{"type":"${type}","object":`),
      object.subarray(0, object.length - 1),
      END,
    ]);
  }
}
const END = Buffer.from('}\n');

/** Encodes table events. Only the first event has columns, so its frame is not shared. */
class TableEncoder implements EventEncoder {
  readonly contentType = 'application/json';
  readonly text = true;
  readonly form: string;
  #columnsSent = false;
  constructor(
    private readonly view: ViewContext,
    private readonly now: ClusterClock['now'],
  ) {
    this.form = `${frameForm(view)} ${view.includeObject}`;
  }

  prepare(_type: EventType, record: CacheRecord, revision: number): Steps<CacheRecord> | undefined {
    return prepared(this.view, record, revision);
  }

  event(type: EventType, record: CacheRecord, revision: number): Uint8Array {
    const table = wrapDecodeError(record.key, record.value, () =>
      tableJson(
        { ...this.view, now: this.now() },
        [{ record, revision }],
        { resourceVersion: String(revision) },
        !this.#columnsSent,
      ),
    );
    this.#columnsSent = true;
    return this.#frame(type, table);
  }

  bookmark(revision: number, initialEnd: boolean): Uint8Array {
    const metadata = bookmarkMetadata(this.view, revision, initialEnd);
    const head = tableJson(this.view, [], { resourceVersion: String(revision) }, !this.#columnsSent);
    this.#columnsSent = true;
    const row = jsonText({
      cells: [],
      object: {
        kind: 'PartialObjectMetadata',
        apiVersion: `meta.k8s.io/${this.view.negotiated.metaVersion}`,
        metadata,
      },
    });
    return this.#frame(
      'BOOKMARK',
      head.replace(/"rows":\[\]\}$/, () => `"rows":[${row}]}`),
    );
  }

  error(error: ApiError): Uint8Array {
    return this.#frame('ERROR', jsonText(error.toStatus()));
  }

  #frame(type: string, object: string): Uint8Array {
    return Buffer.from(`{"type":"${type}","object":${object}}\n`);
  }
}

class ProtobufEncoder implements EventEncoder {
  readonly contentType: string;
  readonly text = false;
  readonly form: string;
  readonly #names: FrameNames;
  constructor(private readonly view: ViewContext) {
    this.contentType = `${view.negotiated.contentType};stream=watch`;
    this.form = frameForm(view);
    this.#names = frameNames(this.form);
  }

  prepare(
    type: EventType,
    record: CacheRecord,
    revision: number,
    event: CacheEvent | undefined,
  ): Steps<CacheRecord> | undefined {
    return event?.frames?.has(this.#names[type]) ? undefined : prepared(this.view, record, revision);
  }

  event(type: EventType, record: CacheRecord, revision: number, event: CacheEvent | undefined): Uint8Array {
    return shared(event, this.#names[type], () =>
      protobufFrame(
        type,
        wrapDecodeError(record.key, record.value, () => protobufDocument(this.view, record, revision)),
      ),
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

class CborEncoder implements EventEncoder {
  readonly contentType = 'application/cbor-seq';
  readonly text = false;
  readonly form: string;
  readonly #json: JsonEncoder;
  readonly #names: FrameNames;
  readonly #schema: ObjectSchema | undefined;
  constructor(
    view: ViewContext,
    private readonly codec: typeof import('../../codec/cbor.ts'),
  ) {
    this.#schema = view.negotiated.projection === 'object' ? view.resource.schema : undefined;
    this.#json = new JsonEncoder(view);
    this.form = `cbor ${this.#json.form}`;
    this.#names = frameNames(this.form);
  }

  prepare(
    type: EventType,
    record: CacheRecord,
    revision: number,
    event: CacheEvent | undefined,
  ): Steps<CacheRecord> | undefined {
    return event?.frames?.has(this.#names[type])
      ? undefined
      : this.#json.prepare(type, record, revision, event);
  }

  event(type: EventType, record: CacheRecord, revision: number, event: CacheEvent | undefined): Uint8Array {
    return shared(event, this.#names[type], () =>
      this.#convert(this.#json.event(type, record, revision, event)),
    );
  }

  bookmark(revision: number, initialEnd: boolean): Uint8Array {
    return this.#convert(this.#json.bookmark(revision, initialEnd));
  }

  error(error: ApiError): Uint8Array {
    return this.#convert(this.#json.error(error));
  }

  #convert(frame: Uint8Array): Uint8Array {
    const { type, object } = parseJson(frame).value as { type: string; object: KubernetesObject };
    const annotations = type === 'BOOKMARK' ? object.metadata?.annotations : undefined;
    if (annotations !== undefined)
      annotations[LIST_BLUEPRINT] = this.#blueprint(annotations[LIST_BLUEPRINT]!);
    const eventObject =
      this.#schema === undefined || type === 'ERROR' ? object : this.#schema.binaryForm(object);
    // The object is an item of its own in the event, with the tag of one.
    const member = this.codec.writeCbor({ type, object: null }).subarray(0, -1);
    return Buffer.concat([member, this.codec.writeCbor(eventObject)]);
  }

  /** The empty list of a bookmark, whose JSON is given in base64. */
  #blueprint(json: string): string {
    return Buffer.from(this.codec.writeCbor(parseJson(Buffer.from(json, 'base64')).value)).toString('base64');
  }
}
