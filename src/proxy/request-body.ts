import { Readable } from 'node:stream';
import type { Exchange } from '../connection/exchange.ts';

/** The request body as a stream; undefined if there is none. */
export async function requestBody(exchange: Exchange): Promise<Readable | undefined> {
  const length = exchange.header('content-length');
  if (length === '0') return undefined;
  if (length !== undefined || exchange.header('transfer-encoding') !== undefined)
    return Readable.from(exchange.bodyStream(), { objectMode: false });
  if (exchange.protocol === 'HTTP/1.1') return undefined;
  // A body of HTTP/2 may have no length: only its first bytes tell whether there is one.
  const chunks = exchange.bodyStream()[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return undefined;
  return Readable.from(
    (async function* () {
      yield first.value;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    })(),
    { objectMode: false },
  );
}
