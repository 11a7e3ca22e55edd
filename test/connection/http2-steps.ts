/* Steps of tests that speak HTTP/2 frame by frame. */
import { expect, vi } from 'vitest';
import type { Exchange } from '../../src/connection/exchange.ts';
import { Flag, FrameType, frame, framesOf, headerBlock, PREFACE, request, uint32 } from './raw-http2.ts';
import type { RawConnection, Running } from './support.ts';

export const Code = {
  none: 0,
  protocol: 1,
  flowControl: 3,
  settingsTimeout: 4,
  closed: 5,
  frameSize: 6,
  refused: 7,
  compression: 9,
  calm: 11,
};
export const PADDED = 8;
export const PRIORITY = 0x20;
export const plain = (exchange: Exchange): void => exchange.respond(200, 'text/plain', 'ok');
/** Never answers. */
export const silent = (): void => undefined;

/** A connection whose handshake is complete on both sides. */
export async function open(server: Running, settings = ''): Promise<RawConnection> {
  const client = await server.raw({ ALPNProtocols: ['h2'] });
  client.send(PREFACE + frame(FrameType.settings, 0, 0, settings) + frame(FrameType.settings, 1, 0));
  await vi.waitFor(() => expect(frameTypes(client)).toContain(FrameType.settings));
  return client;
}

export const frameTypes = (client: RawConnection): number[] => framesOf(client).map(({ type }) => type);
export const headers = (stream: number, block: string, flags: number = Flag.endStream): string =>
  frame(FrameType.headers, Flag.endHeaders | flags, stream, block);
export const get = (stream: number, path = '/'): string => headers(stream, request('GET', path));
export const post = (stream: number, length?: number): string => {
  const fields: [string, string][] = length === undefined ? [] : [['content-length', String(length)]];
  return headers(stream, request('POST', '/') + headerBlock(fields), 0);
};
export const setting = (id: number, value: number): string =>
  `\0${String.fromCharCode(id)}${uint32(value).toString('latin1')}`;

/** The code of GOAWAY, which must arrive. */
export async function goaway(client: RawConnection): Promise<number> {
  const code = () =>
    framesOf(client)
      .find(({ type }) => type === FrameType.goaway)
      ?.payload.readUInt32BE(4);
  await vi.waitFor(() => expect(code()).toBeDefined(), 10_000);
  return code()!;
}

/** The code of RST_STREAM, which must arrive for the stream. */
export async function reset(client: RawConnection, stream: number): Promise<number> {
  const code = () =>
    framesOf(client)
      .find((one) => one.type === FrameType.reset && one.stream === stream)
      ?.payload.readUInt32BE(0);
  await vi.waitFor(() => expect(code()).toBeDefined(), 10_000);
  return code()!;
}

/** Bytes of DATA that have arrived on a stream. */
export const received = (client: RawConnection, stream: number): number =>
  framesOf(client)
    .filter((one) => one.type === FrameType.data && one.stream === stream)
    .reduce((sum, { payload }) => sum + payload.length, 0);

/** Waits until the server has processed everything that was sent. */
export async function settled(client: RawConnection, word = 'settled!'): Promise<void> {
  client.send(frame(FrameType.ping, 0, 0, word));
  const isAnswered = () =>
    framesOf(client).some(({ type, payload }) => type === FrameType.ping && payload.toString() === word);
  await vi.waitFor(() => expect(isAnswered()).toBe(true), 10_000);
}
