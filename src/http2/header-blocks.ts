import type { FrameRates } from './frame-rates.ts';
import type { DecodedHeaders } from './hpack/decoder.ts';
import { HpackError } from './hpack/errors.ts';
import { MOST_CONTINUATIONS, MOST_EMPTY_CONTINUATIONS } from './limits.ts';
import { ConnectionError, ErrorCode, Flag, FrameType, numberFrame, readUint32 } from './protocol.ts';
import { areTrailersValid, RequestHeadParser } from './request-head.ts';
import type { Http2Session } from './session.ts';
import { Http2Stream } from './stream.ts';

/** Skipped stream identifiers that are remembered. */
const MOST_SKIPPED = 16;
const PRIORITY_BYTES = 5;
const FIRST_BLOCK = 4096;

const calm = (message: string): ConnectionError => new ConnectionError(ErrorCode.enhanceYourCalm, message);

/** Assembles header blocks, decodes them, and opens streams with them. */
export class HeaderBlocks {
  /** The stream whose header block is incomplete. */
  stream = 0;
  readonly #session: Http2Session;
  readonly #rates: FrameRates;
  readonly #heads = new RequestHeadParser();
  #flags = 0;
  #dependsOnItself = false;
  #block: Buffer | undefined;
  #blockBytes = 0;
  #continuations = 0;
  #emptyContinuations = 0;
  #deadline = Number.POSITIVE_INFINITY;
  #isReserved = false;
  /** Ranges of identifiers that the client has passed over: first and last of each. */
  #skipped: number[] | undefined;

  constructor(session: Http2Session, rates: FrameRates) {
    this.#session = session;
    this.#rates = rates;
  }

  /** Whether a header block is incomplete: only its CONTINUATION may follow. */
  get isOpen(): boolean {
    return this.#block !== undefined;
  }

  /** An error if an incomplete block has missed its deadline. */
  overdue(now: number): ConnectionError | undefined {
    return now < this.#deadline ? undefined : calm('a header block is not completed in time');
  }

  /** Accounts for the bytes of an incomplete frame. */
  reserve(frameBytes: number): void {
    const { environment, owner } = this.#session;
    const { limits } = environment;
    const bytes = this.#blockBytes + frameBytes;
    if (bytes > limits.headerBytes) throw calm('a header block is too large');
    if (!owner.headerAccount.reserve(bytes)) throw calm('too many incomplete header blocks');
    this.#isReserved = true;
    if (this.#deadline === Number.POSITIVE_INFINITY)
      this.#deadline = environment.now() + limits.headerTimeout;
  }

  /** The incomplete frame or block is complete. */
  release(): void {
    if (!this.#isReserved) return;
    this.#isReserved = false;
    this.#deadline = Number.POSITIVE_INFINITY;
    this.#session.owner.headerAccount.reserve(0);
  }

  /** A HEADERS frame. */
  start(flags: number, stream: number, bytes: Buffer, start: number, end: number): void {
    let from = start;
    let to = end;
    if ((flags & Flag.padded) !== 0) {
      if (from === to) throw new ConnectionError(ErrorCode.protocolError, 'the padding is missing');
      to -= bytes[from]!;
      from += 1;
    }
    this.#dependsOnItself = false;
    if ((flags & Flag.priority) !== 0) {
      this.#dependsOnItself = to - from >= 4 && (readUint32(bytes, from) & 0x7fffffff) === stream;
      from += PRIORITY_BYTES;
    }
    if (from > to) throw new ConnectionError(ErrorCode.protocolError, 'the padding is longer than the frame');
    this.stream = stream;
    this.#flags = flags;
    if ((flags & Flag.endHeaders) !== 0) {
      this.release();
      this.#onBlock(bytes, from, to);
    } else {
      this.#continuations = 0;
      this.#emptyContinuations = 0;
      this.#append(bytes, from, to);
    }
  }

  /** A CONTINUATION frame. */
  continue(flags: number, bytes: Buffer, start: number, end: number): void {
    this.#continuations += 1;
    if (start === end) this.#emptyContinuations += 1;
    if (this.#continuations > MOST_CONTINUATIONS || this.#emptyContinuations > MOST_EMPTY_CONTINUATIONS)
      throw calm('too many CONTINUATION frames');
    this.#append(bytes, start, end);
    if ((flags & Flag.endHeaders) === 0) return;
    const block = this.#block!;
    const length = this.#blockBytes;
    this.#block = undefined;
    this.#blockBytes = 0;
    this.release();
    this.#onBlock(block, 0, length);
  }

  /** The last byte of a request has arrived. */
  endRequest(stream: Http2Stream): void {
    const { contentLength } = stream.head;
    const body = stream.body!;
    if (contentLength !== undefined && contentLength !== body.receivedBytes)
      this.resetStream(stream.id, ErrorCode.protocolError);
    else {
      body.complete();
      // The response was early, and is complete.
      if (stream.isClosed) stream.close(true);
    }
  }

  /** Resets a stream for an error of the client; such resets count as its own do. */
  resetStream(id: number, code: ErrorCode): void {
    this.#rates.takeReset();
    const stream = this.#session.streams.get(id);
    if (stream !== undefined) stream.reset(code);
    else {
      this.#session.outgoing.sendControl(numberFrame(FrameType.reset, id, code));
      this.#session.rememberReset(id);
    }
  }

  #append(bytes: Buffer, start: number, end: number): void {
    this.reserve(end - start);
    const needed = this.#blockBytes + end - start;
    if (this.#block === undefined || needed > this.#block.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(FIRST_BLOCK, 2 * needed));
      this.#block?.copy(grown, 0, 0, this.#blockBytes);
      this.#block = grown;
    }
    bytes.copy(this.#block, this.#blockBytes, start, end);
    this.#blockBytes = needed;
  }

  #onBlock(bytes: Buffer, start: number, end: number): void {
    const { headerBytes, headerCount } = this.#session.environment.limits;
    let decoded: DecodedHeaders;
    try {
      decoded = this.#session.decoder.decode(bytes, start, end, headerBytes, headerCount);
    } catch (error) {
      if (error instanceof HpackError) throw new ConnectionError(ErrorCode.compressionError, error.message);
      throw error;
    }
    const stream = this.#session.streams.get(this.stream);
    if (stream !== undefined) this.#onTrailers(stream, decoded.fields);
    else if (this.stream > this.#session.lastStream) this.#openStream(decoded.fields, decoded.overflowed);
    else if (!this.#session.wasReset(this.stream)) this.#refuseHeaders();
    else if (!this.#areTrailers(decoded.fields)) this.resetStream(this.stream, ErrorCode.protocolError);
  }

  #onTrailers(stream: Http2Stream, fields: readonly string[]): void {
    if (stream.hasRequestEnded) this.resetStream(stream.id, ErrorCode.streamClosed);
    else if (!this.#areTrailers(fields)) this.resetStream(stream.id, ErrorCode.protocolError);
    else this.endRequest(stream);
  }

  #areTrailers(fields: readonly string[]): boolean {
    return (this.#flags & Flag.endStream) !== 0 && !this.#dependsOnItself && areTrailersValid(fields);
  }

  #openStream(fields: string[], overflowed: boolean): void {
    const session = this.#session;
    const id = this.stream;
    if (session.ignoresNewStreams) return;
    if (id - session.lastStream > 2) this.#rememberSkipped(session.lastStream + 2, id - 2);
    session.lastStream = id;
    const { limits } = session.environment;
    if (session.streams.size >= limits.streams) {
      this.resetStream(id, ErrorCode.refusedStream);
      return;
    }
    // Such a request costs as much as one that is reset.
    if (overflowed) this.#rates.takeReset();
    const hasEnded = (this.#flags & Flag.endStream) !== 0;
    const head = this.#dependsOnItself ? undefined : this.#heads.parse(fields, overflowed);
    if (head === undefined || (hasEnded && (head.contentLength ?? 0) > 0)) {
      session.owner.onMalformed();
      this.resetStream(id, ErrorCode.protocolError);
      return;
    }
    this.#rates.creditPriority();
    session.open(new Http2Stream(session, id, head, !hasEnded, session.initialWindow));
  }

  /** HEADERS on a stream that is not open any more. */
  #refuseHeaders(): void {
    const id = this.stream;
    const skipped = this.#skipped ?? [];
    for (let index = 0; index < skipped.length; index += 2)
      if (id >= skipped[index]! && id <= skipped[index + 1]!)
        throw new ConnectionError(
          ErrorCode.protocolError,
          'a stream identifier is lower than a previous one',
        );
    throw new ConnectionError(ErrorCode.streamClosed, 'HEADERS on a closed stream');
  }

  #rememberSkipped(first: number, last: number): void {
    this.#skipped ??= [];
    this.#skipped.push(first, last);
    if (this.#skipped.length > MOST_SKIPPED * 2) this.#skipped.splice(0, 2);
  }
}
