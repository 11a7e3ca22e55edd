import { BinnacleError } from '../errors/binnacle-error.ts';

/** Status codes of gRPC that this client distinguishes. */
export const GRPC = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  failedPrecondition: 9,
  resourceExhausted: 8,
  aborted: 10,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

/** A call failed: with the server's status, or `unavailable` when the connection failed. */
export class GrpcError extends BinnacleError {
  override name = 'GrpcError';
  readonly code = 'ERR_BINNACLE_GRPC';
  constructor(
    readonly status: number,
    message: string,
    /** Whether the error is the server's answer; otherwise the connection failed or the deadline passed. */
    readonly answered: boolean,
    /** Whether the server may have received the request. */
    readonly sent: boolean,
  ) {
    super(message);
  }
}

/** A message is larger than this client accepts. */
export class AnswerTooLargeError extends GrpcError {
  override name = 'AnswerTooLargeError';
  constructor(size: number, maximum: number) {
    const text = `the message has ${size} bytes; at most ${maximum} are accepted`;
    super(GRPC.resourceExhausted, text, true, true);
  }
}

export interface UnaryOptions {
  /** Milliseconds that the endpoint may take to connect, to answer, and between two parts of its answer. */
  readonly timeout: number;
  /** Ends the call when it aborts, while connecting too: the deadline of the whole call. */
  readonly signal?: AbortSignal;
}

/**
 * One call with one request and one response message.
 * @throws GrpcError
 */
export type Unary = (path: string, request: Uint8Array, options: UnaryOptions) => Promise<Buffer>;

export interface StreamHandlers {
  readonly onMessage: (message: Buffer) => void;
  /** Called once, unless the stream was cancelled. */
  readonly onEnd: (error: GrpcError) => void;
}

/** A call with any number of messages in both directions. */
export interface BidiStream {
  write(message: Uint8Array): void;
  /** Stops and continues the delivery of messages; flow control then stops the server. */
  pause(): void;
  resume(): void;
  /** Ends the call without a further callback. */
  cancel(): void;
}

/** The connection to one endpoint. It connects on first use, and again after it was lost. */
export interface Channel {
  /** Connections that were established so far. */
  readonly connections: number;
  readonly unary: Unary;
  bidi(path: string, metadata: Readonly<Record<string, string>>, handlers: StreamHandlers): BidiStream;
  /**
   * Checks that the endpoint answers; the connection is closed, with all its calls, if it does not. Does nothing soon
   * after another check.
   */
  probe(): void;
  close(): void;
}

/** Precedes a message with its header of five bytes. */
export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(5 + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, 5);
  return framed;
}

/**
 * Splits a stream of bytes into messages. A message in one chunk is a view of it, so chunks must not be used
 * again.
 */
export class MessageSplitter {
  #chunks: Buffer[] = [];
  #available = 0;

  constructor(private readonly maximumBytes: number) {}

  /** Whether a part of a message has been received. */
  get incomplete(): boolean {
    return this.#available > 0;
  }

  /** @throws GrpcError for a message that is compressed or too large */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#available += chunk.length;
  }

  next(): Buffer | undefined {
    if (this.#available < 5) return undefined;
    const head = this.#join(5);
    const size = head.readUInt32BE(1);
    if (head[0] !== 0) throw new GrpcError(GRPC.internal, 'the message is compressed', true, true);
    if (size > this.maximumBytes) throw new AnswerTooLargeError(size, this.maximumBytes);
    if (this.#available < 5 + size) return undefined;
    const whole = this.#join(5 + size);
    const message = whole.subarray(5, 5 + size);
    this.#available -= 5 + size;
    this.#chunks =
      whole.length > 5 + size ? [whole.subarray(5 + size), ...this.#chunks.slice(1)] : this.#chunks.slice(1);
    return message;
  }

  /** Makes the first chunk at least `size` bytes long, and returns it. */
  #join(size: number): Buffer {
    if (this.#chunks[0]!.length >= size) return this.#chunks[0]!;
    const whole = Buffer.concat(this.#chunks, this.#available);
    this.#chunks = [whole];
    return whole;
  }
}
