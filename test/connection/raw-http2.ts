import { expect, vi } from 'vitest';
import type { RawConnection, Running } from './support.ts';

export const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
export const FrameType = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;
export const Flag = { endStream: 1, endHeaders: 4 } as const;

/** One HTTP/2 frame as latin1 text. */
export function frame(type: number, flags: number, stream: number, payload: string | Buffer = ''): string {
  const body = typeof payload === 'string' ? Buffer.from(payload, 'latin1') : payload;
  const head = Buffer.alloc(9);
  head.writeUIntBE(body.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return head.toString('latin1') + body.toString('latin1');
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

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Opens a TLS connection and sends the HTTP/2 preface and empty settings. */
export async function connect(server: Running): Promise<RawConnection> {
  const connection = await server.raw({ ALPNProtocols: ['h2'] });
  return connection.send(PREFACE + frame(FrameType.settings, 0, 0));
}

/** The frames received so far. */
export function framesOf(
  connection: RawConnection,
): { type: number; flags: number; stream: number; payload: Buffer }[] {
  const bytes = Buffer.from(connection.received, 'latin1');
  const frames = [];
  for (let offset = 0; offset + 9 <= bytes.length; ) {
    const length = bytes.readUIntBE(offset, 3);
    const payload = bytes.subarray(offset + 9, offset + 9 + length);
    frames.push({
      type: bytes[offset + 3]!,
      flags: bytes[offset + 4]!,
      stream: bytes.readUInt32BE(offset + 5) & 0x7fffffff,
      payload,
    });
    offset += 9 + length;
  }
  return frames;
}

/** The server's settings apply only after the client has acknowledged them. */
export async function acknowledgeSettings(client: RawConnection): Promise<void> {
  await vi.waitFor(() => expect(framesOf(client).some(({ type }) => type === FrameType.settings)).toBe(true));
  client.send(frame(FrameType.settings, 1, 0));
}
