import type { CacheEvent, CacheRecord, EventType } from '../../cache/record.ts';
import type { CacheWatch } from '../../cache/resource-cache.ts';
import type { WatchScope, WatchSink } from '../../cache/watcher.ts';
import { BodyAbortedError, type BodyWriter } from '../../connection/exchange.ts';
import { isWebSocketRequest } from '../../connection/websocket.ts';
import type { Life } from '../../model/life.ts';
import type { RequestContext } from '../../request/context.ts';
import { CorruptObjectError } from '../../resources/corrupt-object.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { ApiError, errors } from '../../status/index.ts';
import { Pace } from '../../steps/pace.ts';
import { runInTurns, type SizedWork } from '../../steps/run.ts';
import { stepSizes } from '../../steps/sizes.ts';
import { CompactedError, FutureRevisionError, StoreReplacedError } from '../../storage/storage.ts';
import { processClock } from '../../time/clock.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { negotiateRequest, servedEncodings, writeWarnings } from '../response/answer.ts';
import { FramePreparation } from '../response/frame-preparation.ts';
import { checkMediaTypes, mediaTypes, streamTypes } from '../response/negotiation.ts';
import type { ViewContext } from '../response/view-context.ts';
import { eventEncoder } from '../response/watch/create-encoder.ts';
import type { EventEncoder } from '../response/watch/event-encoder.ts';
import { collectCurrent } from './collect-records.ts';
import { negotiatedView } from './get.ts';
import { listOffer } from './list.ts';
import {
  checkFieldLabels,
  hasWatchCache,
  type ListOptions,
  parseListOptions,
  parseRevision,
} from './list-options.ts';
import { awaitFresh } from './read-state.ts';
import { type Selection, selectionOf } from './selection.ts';
import { type OpenStream, webSocketStream } from './watch-socket.ts';

const EXPIRED_TEXT = 'The resourceVersion for the provided watch is too old.';
const FUTURE_TEXT = 'The resourceVersion for the provided watch is of another store:';

/** Handles GET with `watch`: streams the changes of a collection or of one object. */
export async function watchObjects(
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
): Promise<void> {
  const { watchList } = environment.features;
  checkMediaTypes(context.exchange.header('accept'), listOffer(context, resource));
  const options = parseListOptions(context.query, true, watchList);
  const initial = beginsWithObjects(options);
  const bookmarkInitial = initial && options.allowWatchBookmarks && watchList;
  const view = watchView(context, resource, environment, bookmarkInitial);
  checkFieldLabels(options, resource.row);
  const namespace = resource.namespaceOf(context.info.namespace);
  const name = watchedName(context, options);
  const start = parseRevision(options.resourceVersion);
  const least = start === undefined ? 'latest' : initial ? start : 0;
  const fresh = resource.cache.waitFresh(least, environment.operations.futureRevisionWait);
  let future: ApiError | undefined;
  try {
    if (fresh !== undefined) await awaitFresh(fresh, resource, least, environment.waitedForCache);
    else if (initial && least !== 0) environment.waitedForCache(resource.row, 0);
  } catch (error) {
    // A streaming list reports a version that the server does not reach as an event.
    if (options.sendInitialEvents !== true || least === 'latest' || !(error instanceof ApiError)) throw error;
    future = error;
  }

  if (view.negotiated.encoding === 'yaml')
    throw errors.notAcceptableForm(streamTypes(servedEncodings(context)));
  const encoder = await eventEncoder(view, environment.now);
  const stream = await openStream(context, encoder);
  if (stream === undefined) return;
  const selection = selectionOf(resource, options);
  const scope = watchScope(resource, watchedNamespace(resource, namespace, options), name, selection);
  const watch = new WatchStream(
    resource,
    encoder,
    stream,
    withName(selection, name),
    environment,
    options,
    context,
  );
  if (future !== undefined) {
    watch.end(future);
    return;
  }
  const initialized = () => {
    if (options.sendInitialEvents === true) {
      const reach = name !== undefined ? 'resource' : namespace === '' ? 'cluster' : 'namespace';
      environment.watchListed(resource.row, reach, (processClock.monotonic() - context.arrived) / 1000);
    }
    context.watchInitialized?.();
  };
  await watch.run(scope, initial, start ?? 0, bookmarkInitial, initialized);
}

/** Narrows the selection to one name; a watch of one object is a watch of its collection. */
function withName(selection: Selection, name: string | undefined): Selection {
  if (name === undefined) return selection;
  const { queries } = selection;
  return {
    everything: false,
    matches: (record) => record.name === name && selection.matches(record),
    queries,
  };
}

function watchedName({ info }: RequestContext, { fieldSelector }: ListOptions): string | undefined {
  const selected = fieldSelector.exact('metadata.name');
  if (info.name === '' || info.name === selected) return selected;
  if (selected !== undefined)
    throw errors.badRequest("fieldSelector metadata.name doesn't match requested name");
  return info.name;
}

/** The namespace that a watch covers: that of the path, or the one that a field selector requires; '' for all. */
const watchedNamespace = (
  { namespaced }: ServedResource,
  namespace: string,
  { fieldSelector }: ListOptions,
): string => (namespace === '' && namespaced ? (fieldSelector.exact('metadata.namespace') ?? '') : namespace);

/** The events that a watch may concern: a name is part of the key in one namespace, and a condition in all of them. */
function watchScope(
  { stored, namespaced }: ServedResource,
  namespace: string,
  name: string | undefined,
  { queries }: Selection,
): WatchScope {
  const prefix = stored.scope(namespace);
  if (name === undefined) return { prefix, oneName: false, query: queries[0] };
  return namespaced && namespace === ''
    ? { prefix, oneName: true, query: { name: 'name', value: name, read: (record) => record.name } }
    : { prefix, oneName: true, query: queries[0], key: stored.key(namespace, name) };
}

/** Whether a watch begins with the existing objects: if it asks for them, or names no version. */
const beginsWithObjects = ({ sendInitialEvents, resourceVersion }: ListOptions): boolean =>
  sendInitialEvents ?? ['', '0'].includes(resourceVersion);

/** The releases in which a stream with a bookmark at the end of the initial objects has no rows. */
const LISTS_NO_ROWS: Life = { until: '1.34' };

/** @param bookmarkInitial a bookmark ends the initial objects */
function watchView(
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
  bookmarkInitial: boolean,
): ViewContext {
  const offer = listOffer(context, resource);
  const negotiated = negotiateRequest(
    context,
    bookmarkInitial && resource.types.has(LISTS_NO_ROWS)
      ? { ...offer, projections: ['metadata', 'metadata-list'] }
      : offer,
  );
  if (negotiated.projection === 'table' && negotiated.encoding !== 'json')
    throw errors.notAcceptableForm(mediaTypes(offer.encodings));
  return negotiatedView(context, resource, environment, { negotiated, keep: true });
}

/** Opens the response stream, or a WebSocket for an upgrade request. */
async function openStream(context: RequestContext, encoder: EventEncoder): Promise<OpenStream | undefined> {
  writeWarnings(context);
  context.status = 200;
  const { exchange } = context;
  if (isWebSocketRequest(exchange)) return webSocketStream(exchange, encoder.text);
  const writer = exchange.startStream(200, encoder.contentType);
  return { writer, onClose: (callback) => exchange.onFinished(callback) };
}

/** Milliseconds before the end of a watch at which its client learns the latest version. */
const LAST_BOOKMARK_BEFORE_END = 2000;

/** An open watch: initial state, live events, bookmarks and end. */
class WatchStream implements WatchSink {
  #ended = false;
  #lastSent = 0;
  /** Generation of the cache at the start. While it stays, the last bookmark is not sent. */
  #generation = 0;
  /** The version after which the watch begins. */
  #from = 0;
  #watch: CacheWatch | undefined;
  #finish: (() => void) | undefined;
  #error: unknown;
  readonly #writer: BodyWriter;
  readonly #count: (bytes: number) => void;
  readonly #preparation: FramePreparation;

  constructor(
    private readonly resource: ServedResource,
    private readonly encoder: EventEncoder,
    private readonly stream: OpenStream,
    private readonly selection: Selection,
    private readonly environment: HandlerEnvironment,
    private readonly options: ListOptions,
    private readonly work: SizedWork,
  ) {
    this.#writer = stream.writer;
    this.#preparation = new FramePreparation(encoder, work.turns);
    this.#count = environment.countWatchEvents(resource.row);
  }

  /**
   * Runs the watch; resolves when it is over.
   * @param initialized called when the initial events are sent
   * @throws internal errors, so that they are logged
   */
  async run(
    scope: WatchScope,
    initial: boolean,
    start: number,
    bookmarkInitial: boolean,
    initialized: () => void,
  ): Promise<void> {
    const finished = new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    // The connection of the client keeps the process alive, not this timer.
    const duration = this.#duration();
    const stopTimer = processClock.after(duration, () => this.#close());
    const stopBookmarks = this.options.allowWatchBookmarks
      ? processClock.every(this.environment.bookmarkInterval, () => this.#bookmark())
      : undefined;
    const stopLast =
      this.options.allowWatchBookmarks && duration > LAST_BOOKMARK_BEFORE_END
        ? processClock.after(duration - LAST_BOOKMARK_BEFORE_END, () => this.#sendLastBookmark())
        : undefined;
    this.stream.onClose(() => this.#close());
    try {
      const from = initial
        ? await this.#initialState(scope, bookmarkInitial)
        : start || this.resource.cache.revision;
      this.#from = from;
      if (from < this.resource.watchableFrom) throw new CompactedError(from, this.resource.watchableFrom);
      this.#generation = this.resource.cache.generation;
      if (from > this.resource.cache.revision) void this.#endUnlessReached(from);
      if (!this.#ended) this.#watch = this.resource.cache.watch(scope, from, this);
      initialized();
      await finished;
    } catch (error) {
      this.end(error);
    } finally {
      stopTimer();
      stopBookmarks?.();
      stopLast?.();
      this.#watch?.close();
    }
    if (this.#error === undefined) return;
    // Wait until the client has the whole stream: an error aborts the rest.
    await new Promise<void>((resolve) => this.stream.onClose(resolve));
    throw this.#error;
  }

  /**
   * Ends a watch from a version that the store does not have: it is of another store, for instance of the one
   * before a backup was restored. Its client would get no event until the store reaches the version.
   */
  async #endUnlessReached(from: number): Promise<void> {
    const { cache } = this.resource;
    const isReached = async (revision: number | 'latest'): Promise<boolean> => {
      await cache.waitFresh(revision, this.environment.operations.futureRevisionWait);
      return cache.revision >= from;
    };
    if (await isReached(from).catch(() => false)) return;
    // Another server may have written up to the version, and the cache lags. If the store does not answer, it is
    // still the store of the version, or the watch ends when it turns out to be another one.
    if (await isReached('latest').catch(() => true)) return;
    this.end(new FutureRevisionError(from, cache.revision));
  }

  /**
   * Duration of the watch in milliseconds: as requested, or random between once and twice the minimum. A negative
   * one ends the watch at once. It is in whole seconds: timers of one length share a list of Node.js.
   */
  #duration(): number {
    const { timeoutSeconds } = this.options;
    const seconds =
      timeoutSeconds !== 0
        ? timeoutSeconds
        : Math.ceil(this.environment.minimumWatchSeconds * (1 + Math.random()));
    return Math.min(seconds * 1000, MAXIMUM_TIMER);
  }

  /** Sends the existing objects as ADDED events; returns the revision from which the stream continues. */
  async #initialState(scope: WatchScope, bookmark: boolean): Promise<number> {
    const [start, end] =
      scope.key === undefined
        ? [scope.prefix, `${scope.prefix.slice(0, -1)}0`]
        : [scope.key, `${scope.key}\0`];
    const range = { start, end, limit: 0, selection: this.selection };
    const { snapshot, records } = await collectCurrent(this.resource.cache, range, this.work);
    const { revision } = snapshot;
    this.resource.cache.counts.initialEvents += records.length;
    const pace = new Pace(stepSizes.records);
    for (const record of records) {
      if (pace.isPause()) await this.work.turns.pause();
      const steps = this.encoder.prepare?.('ADDED', record, record.revision, undefined);
      const shown = steps === undefined ? record : await runInTurns(this.work.turns, steps);
      if (this.#ended) return revision;
      if (!this.deliver('ADDED', shown, record.revision, undefined)) await this.drained();
    }
    if (bookmark) this.#send(this.encoder.bookmark(revision, true));
    return revision;
  }

  matches(record: CacheRecord): boolean {
    return this.selection.matches(record);
  }

  isReady(type: EventType, record: CacheRecord, event: CacheEvent): boolean {
    return !this.resource.isLarge(record) || this.#preparation.isReady(type, record, event);
  }

  deliver(type: EventType, record: CacheRecord, revision: number, event: CacheEvent | undefined): boolean {
    const shown = event === undefined ? record : this.#preparation.take(type, record);
    return this.#send(this.encoder.event(type, shown, revision, event));
  }

  #send(frame: Uint8Array): boolean {
    if (this.#ended || this.#writer.closed) {
      this.#close();
      return true;
    }
    if (frame.length === 0) return true;
    this.#lastSent = processClock.monotonic();
    this.#count(frame.length);
    return this.#writer.write(frame);
  }

  drained(): Promise<void> {
    return this.#preparation.ready ?? this.#writer.drained();
  }

  /** The text of kube-apiserver's watch cache, with the oldest version that can be watched, or of its store. */
  #expiredText({ compactedRevision }: CompactedError): string {
    return hasWatchCache(this.resource.row, this.environment.features)
      ? `too old resource version: ${this.#from} (${compactedRevision})`
      : EXPIRED_TEXT;
  }

  end(error: unknown): void {
    if (error instanceof CompactedError) this.#sendStatus(errors.expired(this.#expiredText(error)));
    else if (error instanceof StoreReplacedError) this.#sendStatus(errors.expired(EXPIRED_TEXT));
    else if (error instanceof FutureRevisionError)
      this.#sendStatus(errors.expired(`${FUTURE_TEXT} ${error.message}.`));
    else if (error instanceof ApiError) this.#sendStatus(error);
    else if (error !== undefined && !(error instanceof BodyAbortedError)) {
      this.#error = error;
      this.#sendStatus(
        errors.internal(
          error instanceof CorruptObjectError
            ? error.message
            : 'the watch failed; the log of the server says why',
        ),
      );
    }
    this.#close();
  }

  #sendStatus(error: ApiError): void {
    if (!this.#ended && !this.#writer.closed) this.#writer.write(this.encoder.error(error));
  }

  /** Sends the current revision to an idle client. */
  #bookmark(): void {
    if (processClock.monotonic() - this.#lastSent < this.environment.bookmarkInterval / 2) return;
    this.#sendBookmark();
  }

  #sendLastBookmark(): void {
    if (this.resource.cache.generation !== this.#generation) this.#sendBookmark();
  }

  #sendBookmark(): void {
    if (this.#watch !== undefined) this.#send(this.encoder.bookmark(this.#watch.deliveredRevision(), false));
  }

  #close(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#writer.end();
    this.#finish?.();
  }
}

/** Longest delay of a timer in milliseconds. */
const MAXIMUM_TIMER = 2 ** 31 - 1;
