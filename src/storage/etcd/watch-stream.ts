import type { BidiStream } from '../../grpc/grpc.ts';
import { type ProcessClock, processClock } from '../../time/clock.ts';
import {
  CompactedError,
  type StoredEntry,
  type StoreEvent,
  type StoreWatch,
  type WatchOptions,
} from '../storage.ts';
import type { Cluster } from './cluster.ts';
import type { Endpoint } from './endpoint.ts';
import type { KeyMapper } from './keys.ts';
import { decodeWatch, type KeyValue, type WatchEvent, type WatchResponse } from './messages.ts';
import { WATCH, WATCH_METADATA } from './paths.ts';
import { encodeProgressRequest, encodeWatchCreate } from './requests.ts';

/** etcd does not answer a request for progress while a watch is behind: it is repeated. */
const REPEAT_MILLISECONDS = 100;
/** A watch without events reports progress this often, so that it does not resume from a compacted revision. */
const QUIET_MILLISECONDS = 30_000;
/** Back-off before a stream is opened again, in milliseconds; a stream that lived is opened at once. */
const RECONNECT = [10, 50, 100, 200, 500];
/** Events delivered before the loop gets a turn. */
const EVENTS_PER_TURN = 500;
const STATUS_TIMEOUT = 2000;

const noValue = new Uint8Array(0);

export interface WatchStreamOptions {
  readonly cluster: Cluster;
  readonly clock: Pick<ProcessClock, 'after' | 'monotonic'>;
  readonly keys: KeyMapper;
  readonly watch: WatchOptions;
  readonly onClosed: () => void;
}

/**
 * One watch on a stream of its own. When the stream breaks, another continues at the next revision: no event is
 * lost or repeated.
 */
export class WatchStream implements StoreWatch {
  readonly #options: WatchStreamOptions;
  /** The next revision; 0 until it is known. */
  #next: number;
  /** The start was not given: a compacted one is replaced by the present. */
  #implicitStart: boolean;
  #stream: BidiStream | undefined;
  #endpoint: Endpoint | undefined;
  #created = false;
  #over = false;
  #requested = false;
  /** Events of a revision of which more fragments follow. */
  #incomplete: WatchEvent[] = [];
  #deliveredThisTurn = 0;
  #attempts = 0;
  #cancelReconnect: (() => void) | undefined;
  #cancelRepeat: (() => void) | undefined;
  #cancelQuiet: (() => void) | undefined;
  #active = true;

  constructor(options: WatchStreamOptions) {
    this.#options = options;
    const { startRevision } = options.watch;
    this.#implicitStart = !startRevision;
    this.#next = startRevision || (options.cluster.revision > 0 ? options.cluster.revision + 1 : 0);
    this.#open();
    this.#watchQuiet();
  }

  /** Whether the present server's progress notifications cannot be used. */
  get untrustedProgress(): boolean {
    return this.#endpoint?.reportsProgress === false;
  }

  close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#stream?.cancel();
    this.#cancelReconnect?.();
    this.#cancelRepeat?.();
    this.#cancelQuiet?.();
    this.#options.onClosed();
  }

  /** Ends the watch with an error. */
  end(error: Error): void {
    if (this.#over) return;
    this.close();
    this.#options.watch.onEnd(error);
  }

  requestProgress(): void {
    if (this.#requested || this.#over) return;
    this.#requested = true;
    this.#sendProgressRequest();
  }

  #sendProgressRequest(): void {
    this.#cancelRepeat?.();
    this.#cancelRepeat = undefined;
    if (!this.#created) return;
    if (this.untrustedProgress) {
      queueMicrotask(() => this.#answerWithOwnPosition());
      return;
    }
    this.#stream?.write(encodeProgressRequest());
    this.#cancelRepeat = this.#options.clock.after(REPEAT_MILLISECONDS, () => {
      if (this.#requested) this.#sendProgressRequest();
    });
  }

  #answerWithOwnPosition(): void {
    if (!this.#requested || this.#over) return;
    this.#requested = false;
    this.#options.watch.onProgress?.(this.#next - 1, true);
  }

  #open(): void {
    this.#created = false;
    this.#incomplete = [];
    const { cluster, keys, watch } = this.#options;
    let stream: BidiStream | undefined;
    const current = () => !this.#over && stream === this.#stream;
    try {
      const opened = cluster.stream(WATCH, WATCH_METADATA, {
        onMessage: (message) => {
          if (current()) this.#receive(decodeWatch(message));
        },
        onEnd: () => {
          if (current()) this.#broken();
        },
      });
      stream = opened.stream;
      this.#stream = stream;
      this.#endpoint = opened.endpoint;
    } catch {
      this.#stream = undefined;
      this.#broken();
      return;
    }
    stream.write(
      encodeWatchCreate({
        key: keys.toEtcd(watch.start),
        rangeEnd: keys.endToEtcd(watch.end),
        startRevision: this.#next,
      }),
    );
    if (this.#endpoint.reportsProgress === undefined)
      this.#endpoint.status(STATUS_TIMEOUT).then(
        () => current() && this.#created && this.#ready(),
        () => undefined,
      );
  }

  #receive(response: WatchResponse): void {
    this.#options.cluster.observeStream(response.header, this.#endpoint!);
    if (this.#over) return;
    if (response.canceled) {
      this.#canceled(response);
      return;
    }
    if (response.created) {
      this.#created = true;
      this.#attempts = 0;
      if (this.#next === 0) this.#next = response.header.revision + 1;
      if (this.#endpoint!.reportsProgress !== undefined) this.#ready();
    } else if (response.events.length > 0 || this.#incomplete.length > 0) this.#collect(response);
    else if (this.#endpoint!.reportsProgress) this.#progress(response.header.revision);
  }

  /** The watch exists, and it is known whether its server reports progress. */
  #ready(): void {
    if (this.#requested) this.#sendProgressRequest();
  }

  #canceled({ compactRevision }: WatchResponse): void {
    if (compactRevision > 0) {
      if (this.#implicitStart) {
        this.#next = 0;
        this.#reopen();
      } else this.end(new CompactedError(this.#next, compactRevision));
      return;
    }
    this.#broken();
  }

  /** Delivers events in whole revisions: the last revision of a fragment waits for the next fragment. */
  #collect({ events, fragment }: WatchResponse): void {
    let complete = this.#incomplete.length === 0 ? events : [...this.#incomplete, ...events];
    this.#incomplete = [];
    if (fragment) {
      const last = complete.at(-1)!.entry.modRevision;
      const cut = complete.findIndex(({ entry }) => entry.modRevision === last);
      this.#incomplete = complete.slice(cut);
      complete = complete.slice(0, cut);
    }
    const due = complete.filter(({ entry }) => entry.modRevision >= this.#next);
    if (due.length === 0) return;
    this.#next = due.at(-1)!.entry.modRevision + 1;
    this.#witness(due.at(-1)!);
    this.#witness(due.findLast(({ deleted }) => !deleted));
    this.#implicitStart = false;
    this.#active = true;
    this.#options.watch.onEvents(due.map((event) => this.#toEvent(event)));
    this.#yield(due.length);
  }

  #witness(event: WatchEvent | undefined): void {
    if (event === undefined) return;
    const { cluster, keys } = this.#options;
    const { key, value, modRevision } = event.entry;
    cluster.witness.saw({
      key,
      value: event.deleted ? undefined : value,
      revision: modRevision,
      unique: !event.deleted && keys.hasUid(key),
    });
  }

  #progress(revision: number): void {
    const requested = this.#requested;
    this.#requested = false;
    this.#cancelRepeat?.();
    this.#cancelRepeat = undefined;
    this.#active = true;
    if (revision >= this.#next) this.#next = revision + 1;
    this.#options.watch.onProgress?.(revision, requested);
  }

  #broken(): void {
    if (this.#endpoint !== undefined) this.#options.cluster.leave(this.#endpoint);
    this.#reopen();
  }

  #reopen(): void {
    this.#stream?.cancel();
    this.#stream = undefined;
    this.#created = false;
    const pause = RECONNECT[Math.min(this.#attempts, RECONNECT.length - 1)]!;
    this.#attempts += 1;
    this.#cancelReconnect = this.#options.clock.after(pause, () => this.#open());
  }

  #yield(events: number): void {
    this.#deliveredThisTurn += events;
    if (this.#deliveredThisTurn < EVENTS_PER_TURN) return;
    const stream = this.#stream;
    stream?.pause();
    processClock.soon(() => {
      this.#deliveredThisTurn = 0;
      stream?.resume();
    });
  }

  #watchQuiet(): void {
    this.#cancelQuiet = this.#options.clock.after(QUIET_MILLISECONDS, () => {
      if (!this.#active && this.#created && !this.untrustedProgress)
        this.#stream?.write(encodeProgressRequest());
      this.#active = false;
      this.#watchQuiet();
    });
  }

  #toEvent({ deleted, entry, previous }: WatchEvent): StoreEvent {
    const { keys } = this.#options;
    const created = !deleted && entry.createRevision === entry.modRevision;
    return {
      type: deleted ? 'delete' : 'put',
      key: keys.fromEtcd(entry.key),
      revision: entry.modRevision,
      value: deleted ? noValue : entry.value,
      createRevision: deleted ? 0 : entry.createRevision,
      previous: previous && toEntry(previous, keys),
      ...(previous === undefined && !created && { previousCompacted: true as const }),
    };
  }
}

export function toEntry(entry: KeyValue, keys: KeyMapper): StoredEntry {
  return {
    key: keys.fromEtcd(entry.key),
    value: entry.value,
    revision: entry.modRevision,
    createRevision: entry.createRevision,
  };
}
