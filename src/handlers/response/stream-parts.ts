import { GzipWriter } from '../../connection/compress.ts';
import type { BodyWriter } from '../../connection/exchange.ts';
import type { RequestContext } from '../../request/context.ts';
import { acceptsGzip, COMPRESSION_THRESHOLD, send, sendAsIs, writeWarnings } from './answer.ts';

/** Parts of a body; others have their turn at each `undefined`. */
export type BodyParts = Iterable<Uint8Array | undefined>;

/** The parts of a response in groups; the parts of a page of records are created while they are sent. */
export type Parts = Iterable<BodyParts> | AsyncIterable<BodyParts>;

/** Parts are sent at this length together; what exceeds it fits the high-water mark of the connection. */
const CHUNK_BYTES = 240 * 1024;

/** Below this length a body is joined: that is cheaper. Buffers outside of the heap make V8 collect garbage. */
const LEAST_BYTES_IN_PARTS = 16 * 1024;

/** How parts are sent. */
export interface StreamOptions {
  readonly compressible: boolean;
  /** Whether the parts are compressed already. */
  readonly isGzip?: boolean;
  /** Default: 200. */
  readonly status?: number;
  /** Bytes up to which the parts are sent as one body. */
  readonly wholeBytes?: number;
}

/**
 * Sends few parts as one body, many as a stream of large chunks with back-pressure; compressed if accepted.
 */
export async function streamParts(
  context: RequestContext,
  contentType: string,
  groups: Parts,
  { compressible, isGzip = false, status = 200, wholeBytes = CHUNK_BYTES }: StreamOptions,
): Promise<void> {
  const { turns } = context;
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let writer: BodyWriter | undefined;
  for await (const group of groups) {
    for (const part of group) {
      if (part === undefined) {
        await turns.pause();
        continue;
      }
      parts.push(part);
      bytes += part.length;
      if (bytes < (writer === undefined ? wholeBytes : CHUNK_BYTES)) continue;
      writer ??= startStream(context, status, contentType, compressible, isGzip);
      if (writer.closed) return;
      if (!writeParts(writer, parts)) await writer.drained();
      parts = [];
      bytes = 0;
      await turns.pause();
    }
  }
  if (writer === undefined) {
    if (isGzip) return sendAsIs(context, status, contentType, joined(parts), true);
    const compresses = compressible && bytes > COMPRESSION_THRESHOLD && acceptsGzip(context);
    if (bytes < LEAST_BYTES_IN_PARTS || compresses)
      return send(context, status, contentType, joined(parts), compressible);
    return sendAsIs(context, status, contentType, { parts, length: bytes });
  }
  if (bytes > 0) writeParts(writer, parts);
  writer.end();
}

const joined = (parts: readonly Uint8Array[]): Uint8Array =>
  parts.length === 1 ? parts[0]! : Buffer.concat(parts);

const writeParts = (writer: BodyWriter, parts: readonly Uint8Array[]): boolean =>
  writer.writeParts === undefined ? writer.write(joined(parts)) : writer.writeParts(parts);

function startStream(
  context: RequestContext,
  status: number,
  contentType: string,
  compressible: boolean,
  isGzip: boolean,
): BodyWriter {
  writeWarnings(context);
  context.status = status;
  const compress = !isGzip && compressible && CHUNK_BYTES > COMPRESSION_THRESHOLD && acceptsGzip(context);
  const writer = context.exchange.startStream(
    status,
    contentType,
    compress || isGzip ? { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : {},
  );
  return compress ? new GzipWriter(writer) : writer;
}
