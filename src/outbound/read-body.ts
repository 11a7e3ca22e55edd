import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { exchangeError } from './failure-text.ts';
import { OutboundError } from './outbound-error.ts';

const tooLong = (maximumBytes: number): OutboundError =>
  new OutboundError(`the response is longer than ${maximumBytes} bytes`, 'EFBIG');

/**
 * Reads a response body into memory and decompresses it. A body beyond the limit is not read further, and its
 * connection is closed. Rejects with OutboundError.
 */
export function readBody(
  body: Readable,
  headers: IncomingHttpHeaders,
  maximumBytes: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      reject(exchangeError(error, true));
      body.destroy();
    };
    if (Number(headers['content-length'] ?? 0) > maximumBytes) return fail(tooLong(maximumBytes));
    const compressed = headers['content-encoding'] === 'gzip';
    const content = compressed ? pipeline(body, createGunzip(), () => undefined) : body;
    const chunks: Buffer[] = [];
    let length = 0;
    content.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maximumBytes) {
        content.removeAllListeners('data');
        fail(tooLong(maximumBytes));
      } else chunks.push(chunk);
    });
    content.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)));
    content.on('error', fail);
    content.once('close', () => fail(new OutboundError('unexpected EOF', 'ECONNRESET')));
  });
}
