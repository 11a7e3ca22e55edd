import { EARLY_ANSWER_GRACE, READING_WINDOW, STREAM_WINDOW } from './limits.ts';
import { ErrorCode, FrameType, LARGEST_WINDOW, numberFrame } from './protocol.ts';
import { RequestBody } from './request-body.ts';
import type { RequestHead } from './request-head.ts';

/** Follows a stream. */
export interface StreamListener {
  /** Queued bytes of the response were sent. */
  onSent(): void;
  /** Called once. @param isComplete whether the response was sent completely */
  onClosed(isComplete: boolean): void;
}

/** What a stream needs of its session. */
export interface StreamSession {
  /** Sends a response head or an informational one. */
  sendHeaders(stream: Http2Stream, status: number, fields: readonly string[], endStream: boolean): void;
  sendControl(frame: Buffer): void;
  /** Sends an empty frame that ends the response. */
  sendEnd(stream: Http2Stream): void;
  /** The stream has bytes to send. */
  enqueue(stream: Http2Stream, isAnswer: boolean): void;
  /** The queue of a stream has grown or shrunk. */
  countQueued(change: number): void;
  countUnread(stream: Http2Stream, change: number): void;
  /** This side resets a stream before its request is complete. */
  rememberReset(stream: number): void;
  forget(stream: Http2Stream): void;
}

/** The queue of a stream without anything to send; idle streams share it. */
const NOTHING: Uint8Array[] = [];

/**
 * One request and its response. Response chunks are queued by reference; the session copies them into its writes.
 */
export class Http2Stream {
  readonly id: number;
  readonly head: RequestHead;
  /** Undefined for a request without a body. */
  readonly body: RequestBody | undefined;
  listener: StreamListener | undefined;
  /** Bytes of the response that are not sent. */
  queuedBytes = 0;
  /** Bytes that the client accepts on this stream; negative after it has reduced its initial window. */
  sendWindow: number;
  /** Whether nobody has to do with the stream any more; after an early response, frames of the client may follow. */
  isClosed = false;
  /** The next stream in a queue of the session. */
  next: Http2Stream | undefined;
  isQueued = false;
  /** Whether the head of the response was sent. */
  hasHead = false;
  /** Whether the response is complete in the queue. */
  isEnding = false;
  /** Whether the queue is a whole answer, which goes before the events of watches. */
  isAnswer = false;
  readonly #session: StreamSession;
  #chunks = NOTHING;
  #chunk = 0;
  #chunkOffset = 0;
  /** Runs after an early response, while the client may end the request. */
  #grace: NodeJS.Timeout | undefined;

  constructor(session: StreamSession, id: number, head: RequestHead, hasBody: boolean, sendWindow: number) {
    this.#session = session;
    this.id = id;
    this.head = head;
    this.sendWindow = sendWindow;
    this.body = hasBody ? new RequestBody(this, STREAM_WINDOW, READING_WINDOW) : undefined;
  }

  /** Whether the client has sent all of the request. */
  get hasRequestEnded(): boolean {
    return this.body === undefined || this.body.isComplete;
  }

  /** Sends an informational response, such as 100. */
  inform(status: number): void {
    if (!this.isClosed) this.#session.sendHeaders(this, status, [], false);
  }

  /**
   * Sends a complete response.
   * @param fields name, value, name, value …: names in lower case, values with one character per byte
   */
  respond(
    status: number,
    fields: readonly string[],
    body: Uint8Array | { readonly parts: readonly Uint8Array[]; readonly length: number } | undefined,
  ): void {
    if (this.isClosed) return;
    this.isEnding = true;
    this.isAnswer = true;
    this.hasHead = true;
    const isEmpty = body === undefined || body.length === 0;
    this.#session.sendHeaders(this, status, fields, isEmpty);
    if (isEmpty) return;
    if ('parts' in body) this.#queueParts(body.parts);
    else this.#queue(body);
  }

  /** Sends the head of a response that is written in chunks. */
  start(status: number, fields: readonly string[]): void {
    if (this.isClosed) return;
    this.hasHead = true;
    this.#session.sendHeaders(this, status, fields, false);
  }

  /** Queues a chunk, which may be shared and must not be changed. */
  write(chunk: Uint8Array): void {
    if (!this.isClosed && !this.isEnding && chunk.length > 0) this.#queue(chunk);
  }

  /** Queues small parts of a response like one chunk. */
  writeParts(parts: readonly Uint8Array[]): void {
    if (!this.isClosed && !this.isEnding) this.#queueParts(parts);
  }

  #queueParts(parts: readonly Uint8Array[]): void {
    let bytes = 0;
    for (const part of parts) {
      if (part.length > 0) this.#push(part);
      bytes += part.length;
    }
    if (bytes > 0) this.#onQueued(bytes);
  }

  /** Ends a response that is written in chunks. */
  end(): void {
    if (this.isClosed || this.isEnding) return;
    this.isEnding = true;
    if (this.queuedBytes === 0) this.#session.sendEnd(this);
  }

  /** Resets the stream. */
  reset(code: ErrorCode): void {
    if (this.isClosed && this.#grace === undefined) return;
    this.#sendReset(code);
    this.close(false);
  }

  /** The end of the response was written. */
  onEndSent(): void {
    if (this.isClosed) return;
    // An early response: the client need not send the rest. Told so at once, some clients drop the response.
    if (!this.hasRequestEnded)
      this.#grace = setTimeout(() => this.reset(ErrorCode.noError), EARLY_ANSWER_GRACE).unref();
    this.#end(true);
    if (this.#grace === undefined) this.#session.forget(this);
  }

  /** The stream has ended in the protocol. */
  close(isComplete: boolean): void {
    if (this.#grace !== undefined) {
      clearTimeout(this.#grace);
      this.#grace = undefined;
      this.#session.forget(this);
    } else if (!this.isClosed) {
      this.#session.forget(this);
      this.#end(isComplete);
    }
  }

  #end(isComplete: boolean): void {
    this.isClosed = true;
    this.#session.countQueued(-this.queuedBytes);
    this.queuedBytes = 0;
    this.#chunks = NOTHING;
    this.body?.close();
    this.listener?.onClosed(isComplete);
  }

  /** Copies the next bytes, which are not counted as queued any more. @returns whether the queue is empty */
  takeInto(target: Uint8Array, at: number, bytes: number): boolean {
    let rest = bytes;
    while (rest > 0) {
      const chunk = this.#chunks[this.#chunk]!;
      const from = this.#chunkOffset;
      const taken = Math.min(rest, chunk.length - from);
      target.set(taken === chunk.length ? chunk : chunk.subarray(from, from + taken), at + bytes - rest);
      rest -= taken;
      if (from + taken < chunk.length) this.#chunkOffset = from + taken;
      else {
        this.#chunkOffset = 0;
        this.#chunk += 1;
      }
    }
    if (this.#chunk === this.#chunks.length) {
      this.#chunks = NOTHING;
      this.#chunk = 0;
      return true;
    }
    if (this.#chunk > 256) {
      this.#chunks = this.#chunks.slice(this.#chunk);
      this.#chunk = 0;
    }
    return false;
  }

  /** Changes the send window; false if it becomes larger than the protocol allows. */
  widen(bytes: number): boolean {
    this.sendWindow += bytes;
    if (this.sendWindow > LARGEST_WINDOW) return false;
    if (this.queuedBytes > 0) this.#session.enqueue(this, this.isAnswer);
    return true;
  }

  /** Called by the body. */
  creditStream(bytes: number): void {
    this.#session.sendControl(numberFrame(FrameType.windowUpdate, this.id, bytes));
  }

  /** Called by the body. */
  countUnread(change: number): void {
    this.#session.countUnread(this, change);
  }

  #sendReset(code: ErrorCode): void {
    if (!this.hasRequestEnded) this.#session.rememberReset(this.id);
    this.#session.sendControl(numberFrame(FrameType.reset, this.id, code));
  }

  #queue(chunk: Uint8Array): void {
    this.#push(chunk);
    this.#onQueued(chunk.length);
  }

  #push(chunk: Uint8Array): void {
    if (this.#chunks === NOTHING) this.#chunks = [chunk];
    else this.#chunks.push(chunk);
  }

  #onQueued(bytes: number): void {
    this.queuedBytes += bytes;
    this.#session.countQueued(bytes);
    this.#session.enqueue(this, this.isAnswer);
  }
}
