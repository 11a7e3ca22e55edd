import type { TLSSocket } from 'node:tls';
import type { MemoryAccount } from './memory-budget.ts';

/**
 * Size of the pieces fed to the parser: bounds the requests parsed from one chunk after reading should stop.
 */
const PIECE_BYTES = 8 * 1024;
/** The same within a body, where only the last piece can start a request. */
const BODY_PIECE_BYTES = 32 * 1024;
/**
 * Node's parser copies a partial header again with each piece. Headers longer than a piece are buffered up to
 * this size, so that one sent byte by byte does not cost quadratic time.
 */
const GATHERED_BYTES = 16 * 1024;
const END_OF_HEADERS = Buffer.from('\r\n\r\n');
const CR = 0x0d;
const LF = 0x0a;

export interface FeedOptions {
  readonly socket: TLSSocket;
  readonly headers: MemoryAccount;
  /** Whether the pipeline is full. */
  isFull(): boolean;
  /** Whether the next bytes belong to a request body. */
  isInBody(): boolean;
  /** Called when the memory limit for headers is exceeded. */
  onTooManyHeaders(): void;
}

/**
 * Feeds received bytes to Node's HTTP parser, and stops reading while the pipeline is full.
 *
 * Without this class the parser reads from the socket's handle directly. Node pauses it while a response is
 * blocked, and further TLS records of the same segment still reach it: it fails with HPE_PAUSED and the
 * connection is closed. Clients that send head and body of a request as two records are affected (with Node
 * 20.20 and 24.21; pinned by a test). A listener for 'data' disables the direct reading, and a paused socket
 * emits no more data.
 */
export class Http1Feed {
  readonly #options: FeedOptions;
  readonly #parse: (piece: Buffer) => void;
  #pending: Buffer[] = [];
  #buffered: Buffer | undefined;
  #gatheredBytes = 0;
  /** Matched characters of the empty line that ends the headers. */
  #lineEnds = 0;
  #headerBytes = 0;
  #isFeeding = false;
  #isPausedForRoom = false;
  #isStopped = false;

  /** Must be created after Node's server has received the socket. */
  constructor(options: FeedOptions) {
    this.#options = options;
    const { socket } = options;
    const nodes = socket.listeners('data') as ((chunk: Buffer) => void)[];
    this.#parse = (piece) => {
      for (const listener of nodes) listener.call(socket, piece);
    };
    socket.on('data', this.#onData);
    for (const listener of nodes) socket.off('data', listener);
    socket.on('resume', this.#onResume);
    socket.on('close', () => this.stop());
  }

  /** Called when the headers of a request are complete. */
  onHeadersComplete(): void {
    this.#headerBytes = 0;
    this.#options.headers.reserve(0);
  }

  /** Whether bytes were received that do not make a whole head yet, or that the parser has not processed. */
  get hasUnparsed(): boolean {
    return this.#pending.length > 0 || this.#headerBytes > 0;
  }

  /** Called when the pipeline has a free slot: resumes reading. */
  resumeReading(): void {
    if (!this.#isPausedForRoom || this.#options.isFull()) return;
    this.#isPausedForRoom = false;
    // Node may have paused the socket itself, and its parser must not be fed until it resumes.
    if (!(this.#options.socket as TLSSocket & { _paused?: boolean })._paused) this.#options.socket.resume();
  }

  /** Stops feeding the parser. @returns the bytes that the parser has not received */
  stop(): Buffer {
    const { socket, headers } = this.#options;
    const rest = Buffer.concat([this.#takeBuffered(), ...this.#pending]);
    this.#isStopped = true;
    this.#pending = [];
    socket.off('data', this.#onData);
    socket.off('resume', this.#onResume);
    headers.reserve(0);
    return rest;
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#pending.push(chunk);
    this.#feed();
  };

  readonly #onResume = (): void => {
    if (this.#pending.length > 0 || this.#options.isFull()) this.#feed();
  };

  #feed(): void {
    if (this.#isFeeding) return;
    this.#isFeeding = true;
    const { socket, isFull } = this.#options;
    try {
      while (!this.#isStopped) {
        if (isFull()) {
          this.#isPausedForRoom = true;
          socket.pause();
        }
        if (socket.isPaused()) return;
        const piece = this.#nextPiece();
        if (piece === undefined) return;
        this.#appendHeaderPiece(piece);
      }
    } finally {
      this.#isFeeding = false;
    }
  }

  #nextPiece(): Buffer | undefined {
    const first = this.#pending.shift();
    const most = this.#options.isInBody() ? BODY_PIECE_BYTES : PIECE_BYTES;
    if (first === undefined || first.length <= most) return first;
    this.#pending.unshift(first.subarray(most));
    return first.subarray(0, most);
  }

  #appendHeaderPiece(piece: Buffer): void {
    const { headers, isInBody, onTooManyHeaders } = this.#options;
    if (isInBody()) {
      this.#lineEnds = 0;
      this.#parse(piece);
      return;
    }
    this.#headerBytes += piece.length;
    if (!headers.reserve(this.#headerBytes)) {
      onTooManyHeaders();
      return;
    }
    if (this.#headerBytes <= PIECE_BYTES) {
      this.#trackLineEnd(piece);
      this.#parse(piece);
      return;
    }
    const isEnd = this.#endsHeaders(piece);
    this.#buffered ??= Buffer.allocUnsafe(GATHERED_BYTES + PIECE_BYTES);
    this.#gatheredBytes += piece.copy(this.#buffered, this.#gatheredBytes);
    if (isEnd || this.#gatheredBytes >= GATHERED_BYTES) this.#parse(this.#takeBuffered());
  }

  #takeBuffered(): Buffer {
    const taken = this.#buffered?.subarray(0, this.#gatheredBytes) ?? Buffer.alloc(0);
    this.#buffered = undefined;
    this.#gatheredBytes = 0;
    return taken;
  }

  /** Whether the piece contains the empty line that ends the headers, or its end. */
  #endsHeaders(piece: Buffer): boolean {
    const isEnd = this.#follow(piece.subarray(0, 3)) || piece.includes(END_OF_HEADERS);
    if (piece.length > 3) this.#trackLineEnd(piece);
    return isEnd;
  }

  /** Tracks a partial empty line in the last three bytes. */
  #trackLineEnd(piece: Buffer): void {
    if (piece.length >= 3) this.#lineEnds = 0;
    this.#follow(piece.subarray(-3));
  }

  #follow(bytes: Buffer): boolean {
    for (const byte of bytes) {
      const seen = this.#lineEnds;
      this.#lineEnds = byte === (seen % 2 === 0 ? CR : LF) ? seen + 1 : byte === CR ? 1 : 0;
      if (this.#lineEnds < 4) continue;
      this.#lineEnds = 0;
      return true;
    }
    return false;
  }
}
