import { LARGEST_WINDOW } from './protocol.ts';

/** Receives a request body. */
export interface BodyReceiver {
  /**
   * The chunk is a part of a larger buffer, which it keeps alive.
   * @param isCounted whether the account of the body has its bytes, because they were unread
   */
  onChunk(chunk: Buffer, isCounted: boolean): void;
  /** Called once. @param isComplete false when the client has reset the stream or disconnected, or without memory */
  onEnd(isComplete: boolean): void;
}

/** What a body needs of its stream. */
export interface BodyStream {
  /** Lets the client send more bytes on the stream. */
  creditStream(bytes: number): void;
  /** Counts the change of the unread bytes. */
  countUnread(change: number): void;
}

/** Accounts for the bytes of one body that are in memory. */
export interface BodyAccount {
  /** False, without a change, when the limit is exceeded. */
  reserve(bytes: number): boolean;
  /** The body is complete. */
  complete(): void;
  /** Releases all bytes. */
  release(): void;
}

const FIRST_UNREAD = 1024;

/**
 * The body of a request. Bytes that arrive before somebody reads are copied together, so that they keep no larger
 * buffers alive; the stream's window bounds them. Reading credits the window.
 */
export class RequestBody {
  /** Whether all bytes have arrived. */
  isComplete = false;
  /** Whether the stream has ended before. */
  isAborted = false;
  /** Whether bytes were dropped, for lack of memory or of interest. */
  isRefused = false;
  /** Bytes received, without padding. */
  receivedBytes = 0;
  /** Bytes that the client may send. */
  #window: number;
  #size: number;
  /** Consumed bytes for which the client has no credit yet. */
  #uncredited = 0;
  readonly #readingSize: number;
  readonly #stream: BodyStream;
  #unread: Buffer | undefined;
  #unreadBytes = 0;
  #account: BodyAccount | undefined;
  #receiver: BodyReceiver | undefined;
  #wake: (() => void) | undefined;

  /**
   * @param window bytes that the client may send before anybody reads
   * @param readingWindow the same once somebody reads
   */
  constructor(stream: BodyStream, window: number, readingWindow: number) {
    this.#stream = stream;
    this.#window = window;
    this.#size = window;
    this.#readingSize = Math.min(Math.max(window, readingWindow), LARGEST_WINDOW);
  }

  /** Counts a frame of DATA against the window; false if it exceeds it. */
  charge(frameBytes: number, dataBytes: number): boolean {
    this.#window -= frameBytes;
    this.receivedBytes += dataBytes;
    if (frameBytes > dataBytes) this.#uncredited += frameBytes - dataBytes;
    return this.#window >= 0;
  }

  /** Counts unread bytes in this account from now on, no longer in that of the session. */
  countIn(account: BodyAccount): void {
    const bytes = this.#unreadBytes;
    if (bytes > 0) this.#stream.countUnread(-bytes);
    this.#account = account;
    if (bytes > 0 && !account.reserve(bytes)) this.refuse();
    else if (this.isComplete) account.complete();
  }

  /** Discards unread bytes and those that follow; a reader gets an error. */
  refuse(): void {
    this.isRefused = true;
    const bytes = this.#unreadBytes;
    this.#unread = undefined;
    this.#unreadBytes = 0;
    if (this.#account !== undefined) this.#account.release();
    else if (bytes > 0) this.#stream.countUnread(-bytes);
    this.#end();
  }

  /** Adds received bytes. */
  push(bytes: Buffer, start: number, end: number): void {
    if (this.isRefused) return;
    if (this.#receiver === undefined) this.#hold(bytes, start, end);
    else {
      this.#consumed(end - start);
      this.#receiver.onChunk(bytes.subarray(start, end), false);
    }
  }

  /** The last byte has arrived. */
  complete(): void {
    this.isComplete = true;
    this.#account?.complete();
    this.#end();
  }

  /** The stream has ended; unread bytes are dropped. */
  close(): void {
    // Before unread bytes are dropped: they are no reason to send more.
    this.isAborted = !this.isComplete;
    if (this.#take() !== undefined) this.#account?.release();
    if (this.isAborted) this.#end();
  }

  /**
   * Passes the body to a receiver, with what has arrived already.
   * @param expected bytes that the client has declared: the window is widened when they do not fit
   */
  deliver(receiver: BodyReceiver, expected: number | undefined): void {
    this.#expect(expected);
    this.#receiver = receiver;
    const unread = this.#take();
    if (unread !== undefined) receiver.onChunk(unread, this.#account !== undefined);
    if (this.#receiver === receiver && this.#hasEnded) this.#end();
  }

  /** Stops passing the body on; the rest is dropped. */
  stop(): void {
    this.#receiver = undefined;
    this.refuse();
  }

  /**
   * The body as it arrives, with back-pressure to the client. Throws nothing: see {@link isAborted} and
   * {@link isRefused} at the end.
   */
  async *chunks(expected: number | undefined): AsyncGenerator<Buffer, void> {
    this.#expect(expected);
    while (true) {
      const unread = this.#take();
      if (unread !== undefined) {
        this.#account?.release();
        yield unread;
      } else if (this.#hasEnded) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  /** Whether nothing more is passed on. */
  get #hasEnded(): boolean {
    return this.isComplete || this.isAborted || this.isRefused;
  }

  #end(): void {
    this.#wake?.();
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.onEnd(this.isComplete && !this.isRefused);
  }

  #hold(bytes: Buffer, start: number, end: number): void {
    const needed = this.#unreadBytes + end - start;
    if (this.#unread === undefined || needed > this.#unread.length) {
      const grown = Buffer.allocUnsafe(Math.max(FIRST_UNREAD, 2 * this.#unreadBytes, needed));
      this.#unread?.copy(grown, 0, 0, this.#unreadBytes);
      this.#unread = grown;
    }
    bytes.copy(this.#unread, this.#unreadBytes, start, end);
    this.#unreadBytes = needed;
    if (this.#account === undefined) this.#stream.countUnread(end - start);
    else if (!this.#account.reserve(end - start)) this.refuse();
    this.#wake?.();
  }

  #take(): Buffer | undefined {
    const bytes = this.#unreadBytes;
    if (this.#unread === undefined) return undefined;
    const taken = this.#unread.subarray(0, bytes);
    this.#unread = undefined;
    this.#unreadBytes = 0;
    if (this.#account === undefined) this.#stream.countUnread(-bytes);
    this.#consumed(bytes);
    return taken;
  }

  /** A declared body that does not fit needs a wider window at once; without a declaration most bodies are small. */
  #expect(bytes: number | undefined): void {
    if (bytes !== undefined && bytes - this.receivedBytes > this.#window && !this.#hasEnded) this.#credit();
  }

  #consumed(bytes: number): void {
    this.#uncredited += bytes;
    if (this.#uncredited * 2 >= this.#size && !this.#hasEnded) this.#credit();
  }

  /** Restores the window by the consumed bytes, and enlarges it to that of a body that is read. */
  #credit(): void {
    const bytes = this.#uncredited + this.#readingSize - this.#size;
    if (bytes === 0) return;
    this.#size = this.#readingSize;
    this.#uncredited = 0;
    this.#window += bytes;
    this.#stream.creditStream(bytes);
  }
}
