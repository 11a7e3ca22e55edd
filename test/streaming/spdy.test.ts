import { text } from 'node:stream/consumers';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HEADER_DICTIONARY } from '../../src/streaming/spdy/dictionary.ts';
import { type ControlFrame, FrameReader } from '../../src/streaming/spdy/frame-reader.ts';
import { controlFrame, dataHead, FrameType, numbersFrame } from '../../src/streaming/spdy/frames.ts';
import { HeaderReader, HeaderWriter } from '../../src/streaming/spdy/header-blocks.ts';
import { SpdySession } from '../../src/streaming/spdy/session.ts';
import type { SpdyStream } from '../../src/streaming/spdy/stream.ts';
import { streamPair } from '../../src/streaming/stream-pair.ts';

const NO_BYTES = Buffer.alloc(0);

function connect(onStream: (stream: SpdyStream) => void) {
  const [near, far] = streamPair();
  const client = new SpdySession({ socket: near, head: NO_BYTES, isServer: false });
  const server = new SpdySession({ socket: far, head: NO_BYTES, isServer: true, onStream });
  return { client, server, far };
}

describe('a SPDY connection', () => {
  it('opens streams with headers and carries bytes in both directions', async () => {
    const { client } = connect((stream) => stream.pipe(stream));
    const first = await client.open(new Map([['streamtype', 'stdin']]));
    const second = await client.open(new Map([['streamtype', 'stdout']]));
    first.end('one');
    second.end('x'.repeat(1_000_000));
    const [one, large] = await Promise.all([text(first), text(second)]);
    expect(one).toBe('one');
    expect(large).toHaveLength(1_000_000);
  });

  it('shows the headers of a stream to the peer', async () => {
    const headers = new Map([
      ['streamtype', 'data'],
      ['port', '80'],
    ]);
    const seen = new Promise((resolve) => {
      const { client } = connect((stream) => resolve(stream.headers));
      void client.open(headers);
    });
    expect(await seen).toEqual(headers);
  });

  it('does not read on while the reader of a stream is slow', async () => {
    const streams: SpdyStream[] = [];
    const { client, far } = connect((stream) => streams.push(stream));
    const stream = await client.open(new Map());
    let written = 0;
    const chunk = Buffer.alloc(64 * 1024);
    for (;;) {
      const isSent = await Promise.race([
        new Promise<boolean>((resolve) => stream.write(chunk, () => resolve(true))),
        new Promise<boolean>((resolve) => setImmediate(() => setImmediate(() => resolve(false)))),
      ]);
      if (!isSent) break;
      written += chunk.length;
    }
    expect(written).toBeLessThan(1_000_000);
    expect(streams[0]!.readableLength + far.readableLength).toBeLessThan(1_000_000);
  });

  it('leaves what has arrived to the reader when the peer resets the stream or the connection ends', async () => {
    const { client } = connect((stream) => stream.write('kept', () => stream.destroy()));
    expect(await text(await client.open(new Map()))).toBe('kept');
    const other = connect((stream) => stream.write('kept', () => other.server.destroy()));
    expect(await text(await other.client.open(new Map()))).toBe('kept');
    await other.client.closed;
    await expect(other.client.open(new Map())).rejects.toThrow('the connection is closed');
  });

  it('refuses streams that nobody expects', async () => {
    const [near, far] = streamPair();
    const client = new SpdySession({ socket: near, head: NO_BYTES, isServer: false });
    new SpdySession({ socket: far, head: NO_BYTES, isServer: true });
    await expect(client.open(new Map())).rejects.toThrow('reset');
  });

  it.each([
    ['another version', Buffer.from([0x80, 2, 0, 1, 0, 0, 0, 0])],
    ['a long control frame', Buffer.from([0x80, 3, 0, 1, 0, 0xff, 0xff, 0xff])],
    ['headers that are not compressed', controlFrame(FrameType.synStream, 0, Buffer.alloc(40, 1))],
    ['a stream of the wrong side', synStream(2, Buffer.alloc(4))],
    ['more headers than it sends', synStream(1, Buffer.from([0, 0, 1, 0]))],
    ['a name that is cut off', synStream(1, Buffer.from([0, 0, 0, 1, 0, 0, 0, 9, 65]))],
    ['headers that expand', synStream(1, Buffer.alloc(200_000))],
  ])('ends for %s', async (_, bytes) => {
    const [near, far] = streamPair();
    const server = new SpdySession({
      socket: far,
      head: NO_BYTES,
      isServer: true,
      onStream: () => expect.unreachable(),
    });
    near.on('error', () => undefined).resume();
    near.write(bytes);
    await server.closed;
  });

  it('answers pings of the peer', async () => {
    const [near, far] = streamPair();
    new SpdySession({ socket: far, head: NO_BYTES, isServer: true });
    near.write(numbersFrame(FrameType.ping, 7));
    for await (const answer of near) {
      expect(answer).toEqual(numbersFrame(FrameType.ping, 7));
      break;
    }
  });
});

/** A frame that opens a stream, compressed as other implementations do it. */
function synStream(id: number, block: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt32BE(id, 0);
  const compressed = deflateSync(block, { dictionary: HEADER_DICTIONARY });
  return controlFrame(FrameType.synStream, 0, Buffer.concat([fixed, compressed]));
}

describe('header blocks', () => {
  it('are read as they were written', async () => {
    const name = fc.string({ minLength: 1, maxLength: 20 }).map((text) => text.toLowerCase());
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uniqueArray(fc.tuple(name, fc.string()), { selector: ([key]) => key })),
        async (blocks) => {
          const writer = new HeaderWriter();
          const reader = new HeaderReader();
          for (const block of blocks)
            expect(await reader.read(writer.write(new Map(block)))).toEqual(new Map(block));
          reader.close();
        },
      ),
    );
  });
});

describe('frames', () => {
  it('are the same however their bytes arrive', async () => {
    const frames = Buffer.concat([
      numbersFrame(FrameType.ping, 1),
      dataHead(5, 1, 3),
      Buffer.from('abc'),
      dataHead(5, 0, 0),
      numbersFrame(FrameType.goAway, 1, 0),
    ]);
    const parse = async (cuts: readonly number[]) => {
      const seen: string[] = [];
      let data = '';
      const reader = new FrameReader({
        control: ({ type, content }: ControlFrame) => void seen.push(`${type} ${content.toString('hex')}`),
        data(stream, flags, bytes, isLast) {
          data += bytes;
          if (!isLast) return;
          seen.push(`${stream} ${flags} ${data}`);
          data = '';
        },
      });
      let from = 0;
      for (const cut of [...cuts, frames.length].sort((left, right) => left - right)) {
        await reader.read(frames.subarray(from, cut));
        from = cut;
      }
      return seen;
    };
    const whole = await parse([]);
    expect(whole).toHaveLength(4);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(frames.length)), async (cuts) => {
        expect(await parse(cuts)).toEqual(whole);
      }),
    );
  });
});
