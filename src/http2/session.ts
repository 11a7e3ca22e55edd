import type { Duplex } from 'node:stream';
import { controlFrame, goawayFrame, longHeaderFrames, pingFrame, serverPreface } from './control-frames.ts';
import { HpackDecoder } from './hpack/decoder.ts';
import { HpackEncoder } from './hpack/encoder.ts';
import { Incoming } from './incoming.ts';
import { HEADER_TABLE_BYTES, MOST_RESET_STREAMS, type SessionLimits } from './limits.ts';
import { Outgoing, type OutgoingOwner, type WriteResources } from './outgoing.ts';
import {
  ConnectionError,
  ErrorCode,
  Flag,
  FRAME_BYTES,
  FRAME_HEAD_BYTES,
  FrameType,
  INITIAL_WINDOW,
  LARGEST_STREAM,
  numberFrame,
  writeFrameHead,
} from './protocol.ts';
import type { Http2Stream, StreamSession } from './stream.ts';
import { StreamTable } from './stream-table.ts';

/** Bounds memory that the sessions of a listener share. */
export interface MemoryAccount {
  /** Sets the bytes of one session; false, without a change, when the limit is exceeded. */
  reserve(bytes: number): boolean;
}

/** What the sessions of a listener have in common. */
export interface SessionEnvironment {
  readonly limits: SessionLimits;
  readonly resources: WriteResources;
  /** Milliseconds that never jump. */
  now(): number;
}

/** The user of a session. */
export interface SessionOwner {
  /** Incomplete header blocks. */
  readonly headerAccount: MemoryAccount;
  /** Unread request bodies, until they count in an account of their own. */
  readonly bodyAccount: MemoryAccount;
  /** Called with each request. */
  onRequest(stream: Http2Stream): void;
  /** Called when a request was malformed or too large. */
  onMalformed(): void;
  /** Called once, when the client has broken the protocol or a bound; the session ends. */
  onSessionError(error: ConnectionError): void;
  /** Called when a PING of this side was acknowledged. */
  onPong(): void;
}

/** The kinds of PING that the server sends: the acknowledgement repeats the payload. */
const KEEPALIVE = 1;
const SHUTDOWN = 2;

/** `draining`: the first GOAWAY was sent; `final`: the one with the last stream. */
type State = 'open' | 'draining' | 'final' | 'failed' | 'closed';

/** The server side of one HTTP/2 connection (RFC 9113) on a duplex stream, usually a TLS socket. */
export class Http2Session implements StreamSession, OutgoingOwner {
  readonly environment: SessionEnvironment;
  readonly owner: SessionOwner;
  readonly streams = new StreamTable();
  readonly decoder = new HpackDecoder(HEADER_TABLE_BYTES);
  readonly encoder = new HpackEncoder();
  readonly outgoing: Outgoing;
  /** The highest stream that the client has opened. */
  lastStream = 0;
  /** Bytes that the client accepts on each new stream. */
  initialWindow = INITIAL_WINDOW;
  readonly #socket: Duplex;
  readonly #incoming: Incoming;
  #state: State = 'open';
  /** Streams that were reset before their request was complete: the client may not know it yet. */
  #reset: Set<number> | undefined;
  #unanswered = 0;
  #unreadBytes = 0;
  #discarded = 0;
  #goawayDeadline = Number.POSITIVE_INFINITY;
  #linger: NodeJS.Timeout | undefined;

  constructor(socket: Duplex, environment: SessionEnvironment, owner: SessionOwner) {
    this.#socket = socket;
    this.environment = environment;
    this.owner = owner;
    this.outgoing = new Outgoing(socket, environment.resources, this);
    this.#incoming = new Incoming(this);
    this.outgoing.sendControl(serverPreface(environment.limits));
    socket.on('data', this.#onData);
    socket.on('end', () => this.destroy());
    socket.on('error', () => undefined);
    socket.on('close', () => this.#onClose());
  }

  /** Bytes of responses that are not sent. */
  get queuedBytes(): number {
    return this.outgoing.queuedBytes;
  }

  /** Whether the session accepts no further requests. */
  get isClosing(): boolean {
    return this.#state !== 'open';
  }

  /** Sends a PING; its acknowledgement is reported. */
  ping(): void {
    this.outgoing.sendControl(pingFrame(KEEPALIVE));
  }

  /**
   * Accepts no further requests, and ends the connection when the open streams have ended. Requests that the client
   * sends before it knows are served: the first GOAWAY names no last stream, the second one follows after a round
   * trip. Idempotent.
   */
  close(): void {
    if (this.#state !== 'open') return;
    this.#state = 'draining';
    this.#goawayDeadline = this.environment.now() + this.environment.limits.goawayTimeout;
    this.outgoing.sendControl(goawayFrame(LARGEST_STREAM, ErrorCode.noError));
    this.outgoing.sendControl(pingFrame(SHUTDOWN));
  }

  /** The same in one step: later requests, which the client repeats on another connection, are not served. */
  closeAtOnce(): void {
    if (this.#state !== 'open' && this.#state !== 'draining') return;
    this.#state = 'final';
    this.outgoing.sendControl(goawayFrame(this.lastStream, ErrorCode.noError));
    this.#endWhenDone();
  }

  /** Ends the connection for an error of the client. */
  fail(error: ConnectionError): void {
    if (this.#state === 'failed' || this.#state === 'closed') return;
    this.#state = 'failed';
    this.owner.onSessionError(error);
    this.outgoing.sendControl(goawayFrame(this.lastStream, error.code, error.message));
    this.#closeStreams();
    this.outgoing.finish();
    this.#endSocket();
  }

  /** Ends the connection now, and all its streams. */
  destroy(): void {
    if (this.#state === 'closed') return;
    // The client may have sent requests that were not read: it repeats those above the last stream.
    if (this.#state === 'open' || this.#state === 'draining')
      this.outgoing.sendControl(goawayFrame(this.lastStream, ErrorCode.noError));
    // Clients treat a response as truncated only if its stream is reset.
    for (const { id } of this.streams.values())
      this.outgoing.sendControl(numberFrame(FrameType.reset, id, ErrorCode.cancel));
    this.outgoing.finish();
    this.#onClose();
    this.#socket.destroy();
  }

  /** Checks deadlines; called every few seconds. */
  sweep(now: number): void {
    if (this.#state === 'failed' || this.#state === 'closed') return;
    const late = this.#incoming.overdue(now);
    if (late !== undefined) this.fail(late);
    else if (now >= this.#goawayDeadline && this.#state === 'draining') this.closeAtOnce();
  }

  /** Called by the outgoing frames: the client does not read. */
  onControlFlood(): void {
    this.fail(new ConnectionError(ErrorCode.enhanceYourCalm, 'the client does not read control frames'));
  }

  /** Called by the outgoing frames when DATA was written. */
  onDataSent(bytes: number): void {
    this.#incoming.creditWindowUpdates(bytes);
  }

  /** Called by the outgoing frames after each write. */
  onFlushed(): void {
    this.#endWhenDone();
  }

  /** Called with an acknowledged PING. */
  onPing(payload: number): void {
    if (payload === KEEPALIVE) this.owner.onPong();
    else if (payload === SHUTDOWN && this.#state === 'draining') this.closeAtOnce();
  }

  /** Whether a new stream is ignored, because the final GOAWAY told the client to repeat its request elsewhere. */
  get ignoresNewStreams(): boolean {
    return this.#state === 'final';
  }

  /** Adds a stream whose head is complete. */
  open(stream: Http2Stream): void {
    this.streams.add(stream);
    this.#unanswered += 1;
    this.owner.onRequest(stream);
  }

  /** Whether this side has reset the stream, so that late frames are expected. */
  wasReset(stream: number): boolean {
    return this.#reset?.has(stream) === true;
  }

  /** Remembers a stream that this side has reset. */
  rememberReset(stream: number): void {
    this.#reset ??= new Set();
    this.#reset.add(stream);
    if (this.#reset.size <= MOST_RESET_STREAMS) return;
    for (const oldest of this.#reset) {
      this.#reset.delete(oldest);
      return;
    }
  }

  /** The client has reset a stream, and knows that it has ended. */
  forgetReset(stream: number): void {
    this.#reset?.delete(stream);
  }

  sendHeaders(stream: Http2Stream, status: number, fields: readonly string[], endStream: boolean): void {
    const block = this.encoder.encode(status, fields, FRAME_HEAD_BYTES);
    if (status >= 200) this.#unanswered -= 1;
    const isUrgent = stream.isAnswer && this.#unanswered === 0;
    if (block.length <= FRAME_HEAD_BYTES + FRAME_BYTES) {
      const flags = Flag.endHeaders | (endStream ? Flag.endStream : 0);
      writeFrameHead(block, 0, block.length - FRAME_HEAD_BYTES, FrameType.headers, flags, stream.id);
      this.outgoing.sendControl(block, isUrgent);
    } else
      for (const frame of longHeaderFrames(stream.id, endStream, block.subarray(FRAME_HEAD_BYTES)))
        this.outgoing.sendControl(frame, isUrgent);
    if (endStream) this.outgoing.endAfterWrite(stream);
  }

  sendControl(frame: Buffer): void {
    this.outgoing.sendControl(frame);
  }

  sendEnd(stream: Http2Stream): void {
    this.outgoing.sendControl(controlFrame(FrameType.data, Flag.endStream, stream.id));
    this.outgoing.endAfterWrite(stream);
  }

  enqueue(stream: Http2Stream, isUrgent: boolean): void {
    this.outgoing.enqueue(stream, isUrgent && this.#unanswered === 0);
  }

  countQueued(change: number): void {
    this.outgoing.queuedBytes += change;
  }

  countUnread(stream: Http2Stream, change: number): void {
    this.#unreadBytes += change;
    if (this.owner.bodyAccount.reserve(this.#unreadBytes)) return;
    stream.reset(ErrorCode.enhanceYourCalm);
  }

  forget(stream: Http2Stream): void {
    this.streams.delete(stream.id);
    if (!stream.hasHead) this.#unanswered -= 1;
    if (this.streams.size === 0) this.#endWhenDone();
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#state === 'failed') {
      this.#discarded += chunk.length;
      if (this.#discarded > this.environment.limits.lingerBytes) this.destroy();
      return;
    }
    try {
      this.#incoming.push(chunk);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      this.fail(error);
    }
  };

  /** Ends the connection after the final GOAWAY, when nothing is open and everything was written. */
  #endWhenDone(): void {
    if (this.#state !== 'final' || this.streams.size > 0 || !this.outgoing.isIdle) return;
    this.#state = 'failed';
    this.outgoing.stop();
    this.#endSocket();
  }

  /** Ends the connection; the client has a while to end its side. */
  #endSocket(): void {
    this.#socket.end();
    this.#linger = setTimeout(() => this.destroy(), this.environment.limits.lingerTimeout).unref();
  }

  #closeStreams(): void {
    for (const stream of this.streams.values()) stream.close(false);
  }

  #onClose(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    clearTimeout(this.#linger);
    this.outgoing.stop();
    this.#closeStreams();
    this.owner.headerAccount.reserve(0);
    this.owner.bodyAccount.reserve(0);
  }
}
