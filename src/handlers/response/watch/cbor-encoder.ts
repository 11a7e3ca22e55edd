import type { CacheEvent, CacheRecord, EventType } from '../../../cache/record.ts';
import { writeCbor } from '../../../codec/cbor.ts';
import { parseJson } from '../../../codec/json-parse.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import type { ObjectSchema } from '../../../resources/object-schema.ts';
import type { ApiError } from '../../../status/index.ts';
import type { Steps } from '../../../steps/steps.ts';
import { LIST_BLUEPRINT } from '../bookmark-metadata.ts';
import type { ViewContext } from '../view-context.ts';
import { JsonEncoder } from './json-encoder.ts';
import { SharedEncoder } from './shared-encoder.ts';

/** Encodes events as a sequence of CBOR items, from their JSON. */
export class CborEncoder extends SharedEncoder {
  readonly contentType = 'application/cbor-seq';
  readonly text = false;
  readonly #json: JsonEncoder;
  readonly #schema: ObjectSchema | undefined;

  constructor(view: ViewContext) {
    const json = new JsonEncoder(view);
    super(view, `cbor ${json.form}`);
    this.#json = json;
    this.#schema = view.negotiated.projection === 'object' ? view.resource.schema : undefined;
  }

  protected override prepareView(
    type: EventType,
    record: CacheRecord,
    revision: number,
    event: CacheEvent | undefined,
  ): Steps<CacheRecord> | undefined {
    return this.#json.prepare(type, record, revision, event);
  }

  protected frame(
    type: EventType,
    record: CacheRecord,
    revision: number,
    event: CacheEvent | undefined,
  ): Uint8Array {
    return this.#convert(this.#json.event(type, record, revision, event));
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
    if (annotations?.[LIST_BLUEPRINT] !== undefined)
      annotations[LIST_BLUEPRINT] = this.#blueprint(annotations[LIST_BLUEPRINT]);
    const eventObject =
      this.#schema === undefined || type === 'ERROR' ? object : this.#schema.binaryForm(object);
    // The object is an item of its own in the event, with the tag of one.
    const member = writeCbor({ type, object: null }).subarray(0, -1);
    return Buffer.concat([member, writeCbor(eventObject)]);
  }

  /** The empty list of a bookmark, whose JSON is given in base64. */
  #blueprint(json: string): string {
    return Buffer.from(writeCbor(parseJson(Buffer.from(json, 'base64')).value)).toString('base64');
  }
}
