import type { CacheEvent, CacheRecord, EventType } from '../../../cache/record.ts';
import type { ApiError } from '../../../status/index.ts';
import type { Steps } from '../../../steps/steps.ts';
import type { ViewContext } from '../view-context.ts';
import { prepared } from '../views.ts';
import type { EventEncoder } from './event-encoder.ts';

/** Names the frames of a view. */
export const frameForm = ({
  resource,
  negotiated: { encoding, projection, metaVersion },
}: ViewContext): string => `${encoding} ${projection} ${metaVersion} ${resource.form}`;

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

/** An encoder whose frames the watchers of an event share. */
export abstract class SharedEncoder implements EventEncoder {
  abstract readonly contentType: string;
  abstract readonly text: boolean;
  readonly form: string;
  readonly #names: FrameNames;

  constructor(
    protected readonly view: ViewContext,
    form = frameForm(view),
  ) {
    this.form = form;
    this.#names = frameNames(form);
  }

  /** Makes the frame of an event, or of an object of the initial state. */
  protected abstract frame(
    type: EventType,
    record: CacheRecord,
    revision: number,
    event: CacheEvent | undefined,
  ): Uint8Array;
  abstract bookmark(revision: number, initialEnd: boolean): Uint8Array;
  abstract error(error: ApiError): Uint8Array;

  prepare(
    type: EventType,
    record: CacheRecord,
    revision: number,
    event: CacheEvent | undefined,
  ): Steps<CacheRecord> | undefined {
    return event?.frames?.has(this.#names[type])
      ? undefined
      : this.prepareView(type, record, revision, event);
  }

  /** {@link prepare} without a frame. */
  protected prepareView(
    _type: EventType,
    record: CacheRecord,
    revision: number,
    _event: CacheEvent | undefined,
  ): Steps<CacheRecord> | undefined {
    return prepared(this.view, record, revision);
  }

  event(type: EventType, record: CacheRecord, revision: number, event: CacheEvent | undefined): Uint8Array {
    return shared(event, this.#names[type], () => this.frame(type, record, revision, event));
  }
}
