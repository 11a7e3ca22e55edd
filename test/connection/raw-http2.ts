import { expect, vi } from 'vitest';
import { HpackDecoder } from '../../src/http2/hpack/decoder.ts';
import { type Frame, FrameType, frameBytes, PREFACE, parseFrames } from './frames.ts';
import type { RawConnection, Running } from './support.ts';

export { Flag, FrameType, PREFACE, uint32 } from './frames.ts';

/** One HTTP/2 frame as latin1 text. */
export function frame(type: number, flags: number, stream: number, payload: string | Buffer = ''): string {
  const body = typeof payload === 'string' ? Buffer.from(payload, 'latin1') : payload;
  return frameBytes(type, flags, stream, body).toString('latin1');
}

/** Literal header fields without indexing; names and values are ASCII. */
export function headerBlock(headers: readonly (readonly [string, string])[]): string {
  const literal = (text: string): string => {
    if (text.length < 127) return String.fromCharCode(text.length) + text;
    const prefix = [127];
    let rest = text.length - 127;
    for (; rest >= 128; rest >>= 7) prefix.push((rest & 127) | 128);
    return String.fromCharCode(...prefix, rest) + text;
  };
  return headers.map(([name, value]) => `\0${literal(name)}${literal(value)}`).join('');
}

export const request = (method: string, path: string): string =>
  headerBlock([
    [':method', method],
    [':scheme', 'https'],
    [':authority', 'localhost'],
    [':path', path],
  ]);

/** Opens a TLS connection and sends the HTTP/2 preface and empty settings. */
export async function connect(server: Running): Promise<RawConnection> {
  const connection = await server.raw({ ALPNProtocols: ['h2'] });
  return connection.send(PREFACE + frame(FrameType.settings, 0, 0));
}

/** The complete frames received so far. */
export const framesOf = (connection: RawConnection): Frame[] =>
  parseFrames(Buffer.from(connection.received, 'latin1'));

/** The status of the response on a stream. */
export function statusOf(connection: RawConnection, stream: number): string | undefined {
  const decoder = new HpackDecoder(4096);
  let status: string | undefined;
  for (const { type, stream: id, payload } of framesOf(connection)) {
    if (type !== FrameType.headers) continue;
    const { fields } = decoder.decode(payload, 0, payload.length, 1e6, 1000);
    if (id === stream) status = fields[1];
  }
  return status;
}

/** The server's settings apply only after the client has acknowledged them. */
export async function acknowledgeSettings(client: RawConnection): Promise<void> {
  await vi.waitFor(() => expect(framesOf(client).some(({ type }) => type === FrameType.settings)).toBe(true));
  client.send(frame(FrameType.settings, 1, 0));
}
