import { type BidiStream, type Channel, GrpcError, type StreamHandlers } from '../../grpc/grpc.ts';
import type { ProcessClock } from '../../time/clock.ts';
import { StorageUnavailableError, StoreReplacedError } from '../storage.ts';
import { classify, isCompacted, isFuture } from './call-errors.ts';
import { Endpoint } from './endpoint.ts';
import type { ResponseHeader } from './messages.ts';
import { Witness } from './witness.ts';

export interface ClusterOptions {
  /** URLs, in any order. */
  readonly endpoints: readonly string[];
  readonly createChannel: (url: string) => Channel;
  readonly clock: Pick<ProcessClock, 'monotonic' | 'after'>;
  /**
   * Milliseconds that the first attempt of a read may take without progress; each further one twice as long. A change
   * may take longer, but the endpoint is left, and its connection is checked.
   */
  readonly attemptTimeout: number;
  /** Milliseconds that a call may take with all its attempts. */
  readonly callTimeout: number;
  /** Between 0 and 1; chooses the first endpoint, so that servers spread over them. */
  readonly random?: () => number;
}

/** Back-off after all endpoints have failed, in milliseconds. */
const FIRST_PAUSE = 25;
const LONGEST_PAUSE = 500;

/** A change that was sent may have been made, whatever later attempts say. */
export class AmbiguousError extends Error {
  constructor(override readonly cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause));
  }
}

/** What is known about the attempts of one change. */
export interface Attempts {
  /** Whether the change is sent again after an attempt that may have been carried out. */
  readonly repeatable: boolean;
  /** An earlier attempt may have been carried out. */
  ambiguous: boolean;
}

/**
 * The endpoints of an etcd cluster. All calls use one endpoint until it fails; they then try the others in turn.
 */
export class Cluster {
  readonly endpoints: readonly Endpoint[];
  readonly #options: ClusterOptions;
  /** Changes by which the history of the cluster is recognized on new connections. */
  readonly witness = new Witness();
  readonly #onReplaced = new Set<(error: StoreReplacedError) => void>();
  #current: number;
  #clusterId: number | bigint = 0;
  #revision = 0;
  /** Number of replacements. Answers to what was sent before the last one say nothing about the cluster. */
  #replacements = 0;
  #closed = false;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.endpoints = options.endpoints.map((url) => new Endpoint(url, options.createChannel(url)));
    this.#current = Math.floor((options.random ?? Math.random)() * this.endpoints.length);
  }

  /** The newest revision that any answer contained. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Calls back when the cluster is not the one that answered before: it has another id, its revision goes back, or
   * its history does not contain the known changes, which are read on every new connection.
   */
  onReplaced(callback: (error: StoreReplacedError) => void): void {
    this.#onReplaced.add(callback);
  }

  /**
   * Sends a request until it is answered, at most until the deadline.
   * @param attempts set for requests that change something
   * @throws GrpcError the answer; StorageUnavailableError; AmbiguousError when an attempt may have been carried
   * out, and the deadline passed or the request must not be sent again
   */
  async call<Response extends { header: ResponseHeader }>(
    path: string,
    request: Uint8Array,
    decode: (message: Buffer) => Response,
    { attempts, timeout = this.#options.callTimeout }: { attempts?: Attempts; timeout?: number } = {},
  ): Promise<Response> {
    const { clock, attemptTimeout } = this.#options;
    const deadline = clock.monotonic() + timeout;
    for (let failures = 0; ; ) {
      const endpoint = this.endpoints[this.#current]!;
      const seen = this.#revision;
      const replacements = this.#replacements;
      let failure: GrpcError;
      let stopWatching: (() => void) | undefined;
      try {
        this.#assertOpen();
        const left = deadline - clock.monotonic();
        // Each attempt has more time: a cluster that is slow must not get more and more requests.
        let patience = attemptTimeout * 2 ** Math.min(failures, 4);
        if (attempts !== undefined) {
          // The outcome of a change that is given up is unknown: only an endpoint that is silent ends its attempt.
          stopWatching = clock.after(patience, () => this.#suspect(endpoint));
          patience = left;
        }
        const message = await endpoint.channel.unary(path, request, {
          timeout: Math.max(Math.min(patience, left), 1),
        });
        const response = decode(message);
        if (replacements === this.#replacements) this.#observe(response.header, seen, endpoint);
        return response;
      } catch (error) {
        if (!(error instanceof GrpcError)) throw error;
        failure = error;
      } finally {
        stopWatching?.();
      }
      const { refused, retry, leave } = classify(failure);
      if (!refused && attempts !== undefined) attempts.ambiguous = true;
      if (leave) this.leave(endpoint);
      if (!retry) throw failure;
      if (attempts?.ambiguous === true && !attempts.repeatable) throw new AmbiguousError(failure);
      failures += 1;
      const pause = this.#pauseAfter(failures);
      if (this.#closed || clock.monotonic() + pause >= deadline) {
        if (attempts?.ambiguous) throw new AmbiguousError(failure);
        throw new StorageUnavailableError(`etcd does not answer: ${failure.message}; try again later`);
      }
      if (pause > 0) await new Promise<void>((resolve) => clock.after(pause, resolve));
    }
  }

  /** Opens a stream to the endpoint that is used at present. */
  stream(
    path: string,
    metadata: Readonly<Record<string, string>>,
    handlers: StreamHandlers,
  ): { stream: BidiStream; endpoint: Endpoint } {
    this.#assertOpen();
    const endpoint = this.endpoints[this.#current]!;
    return { endpoint, stream: endpoint.channel.bidi(path, metadata, handlers) };
  }

  /** Uses another endpoint for later calls, unless that has happened already. */
  leave(endpoint: Endpoint): void {
    if (this.endpoints[this.#current] === endpoint)
      this.#current = (this.#current + 1) % this.endpoints.length;
  }

  /** Leaves an endpoint that is slow, and closes the connection if it does not answer at all. */
  #suspect(endpoint: Endpoint): void {
    this.leave(endpoint);
    endpoint.channel.probe();
  }

  /** Takes note of the header of a stream's message. Members may lag: revisions below others are normal. */
  observeStream(header: ResponseHeader, endpoint: Endpoint): void {
    this.#observe(header, 0, endpoint);
  }

  close(): void {
    this.#closed = true;
    for (const { channel } of this.endpoints) channel.close();
  }

  /** @param seen a revision that the answer must not be below: it was known before the request was sent */
  #observe({ clusterId, revision }: ResponseHeader, seen: number, endpoint: Endpoint): void {
    if (this.#clusterId === 0) this.#clusterId = clusterId;
    if (clusterId !== this.#clusterId) {
      this.#clusterId = clusterId;
      this.#replaced(revision, 'another etcd cluster answers than before');
    } else if (revision < seen) {
      this.#replaced(
        revision,
        `the revision of etcd went back from ${seen} to ${revision}: it was restored from a backup`,
      );
    } else if (revision > this.#revision) this.#revision = revision;
    if (endpoint.recognized !== endpoint.channel.connections) this.#recognize(endpoint);
  }

  /** Looks for the known changes on a new connection. Without an answer, the next message tries again. */
  #recognize(endpoint: Endpoint): void {
    const { connections } = endpoint.channel;
    const { recognized } = endpoint;
    const replacements = this.#replacements;
    endpoint.recognized = connections;
    const read = this.witness.read(endpoint.channel, this.#options.attemptTimeout);
    if (read === undefined) return;
    read.then(
      ({ known, revision, header }) => {
        if (known || replacements !== this.#replacements) return;
        this.#replaced(
          header.revision,
          `the history of etcd does not contain what is known of revision ${revision}: it was restored from a backup`,
        );
      },
      (error: unknown) => {
        if (replacements !== this.#replacements) return;
        if (isCompacted(error) || isFuture(error))
          this.#replaced(
            0,
            `the history of etcd does not contain the newest known revision (${(error as Error).message})`,
          );
        else if (endpoint.recognized === connections) endpoint.recognized = recognized;
      },
    );
  }

  #replaced(revision: number, message: string): void {
    this.#replacements += 1;
    this.#revision = revision;
    this.witness.forget();
    const error = new StoreReplacedError(message);
    for (const callback of this.#onReplaced) callback(error);
  }

  #assertOpen(): void {
    if (this.#closed) throw new StorageUnavailableError('the store is closed');
  }

  /** None before each endpoint has failed once. */
  #pauseAfter(failures: number): number {
    const rounds = Math.floor(failures / this.endpoints.length);
    return rounds === 0 ? 0 : Math.min(FIRST_PAUSE * 2 ** (rounds - 1), LONGEST_PAUSE);
  }
}
