import { describe, expect, it } from 'vitest';
import type { BodyWriter, Exchange } from '../../../src/connection/exchange.ts';
import { documentParts } from '../../../src/handlers/response/answer.ts';
import { streamParts } from '../../../src/handlers/response/stream-parts.ts';
import type { RequestContext } from '../../../src/request/context.ts';
import type { LoopTurns } from '../../../src/steps/turns.ts';

const PART = Buffer.alloc(100_000, 'a');

/** Sends parts to a client that never reads. Returns how many were made, and what was sent. */
async function sentTo(parts: number, wholeBytes?: number): Promise<{ made: number; sent: unknown[] }> {
  const sent: unknown[] = [];
  let made = 0;
  function* making(): Iterable<Uint8Array> {
    for (; made < parts; made += 1) yield PART;
  }
  let stalled!: () => void;
  const waits = new Promise<void>((resolve) => {
    stalled = resolve;
  });
  const writer: Partial<BodyWriter> = {
    write: (chunk) => {
      sent.push(chunk.length);
      return false;
    },
    drained: () => {
      stalled();
      return new Promise(() => undefined);
    },
  };
  const exchange: Partial<Exchange> = {
    header: () => undefined,
    respond: (status, _type, body) => void sent.push(`${status} ${body.length}`),
    startStream: (status) => {
      sent.push(`${status}`);
      return writer as BodyWriter;
    },
  };
  const context: Partial<RequestContext> = {
    exchange: exchange as Exchange,
    warnings: new Set(),
    turns: { pause: () => undefined } as LoopTurns,
    responses: { compression: false } as RequestContext['responses'],
  };
  const options = { compressible: true, status: 201, ...(wholeBytes === undefined ? {} : { wholeBytes }) };
  const sending = streamParts(context as RequestContext, 'text/plain', [making()], options);
  await Promise.race([sending, waits]);
  return { made, sent };
}

describe('parts of a body', () => {
  it.each([
    ['one body, if they are few', 2, undefined, { made: 2, sent: ['201 200000'] }],
    ['chunks, and wait for the client', 9, undefined, { made: 2, sent: ['201', 300_000] }],
    ['one body up to the given length', 9, 1_000_000, { made: 9, sent: ['201 900000'] }],
    ['chunks beyond it', 19, 1_000_000, { made: 9, sent: ['201', 1_000_000] }],
  ])('are sent as %s', async (_, parts, wholeBytes, expected) => {
    expect(await sentTo(parts, wholeBytes)).toEqual(expected);
  });
});

describe('the conversion of a JSON document', () => {
  const conversions = async (json: string, encoding: 'yaml' | 'cbor'): Promise<unknown[]> => {
    const turns: unknown[] = [];
    const counted: LoopTurns = {
      next: async (started = true) => void turns.push(started ? 'next' : 'first'),
      pause: () => undefined,
      isOver: false,
    };
    const negotiated = { encoding, projection: 'object', metaVersion: 'v1', contentType: '', pretty: false };
    for (const _part of await documentParts(counted, Buffer.from(json), negotiated as never));
    return turns;
  };
  const large = JSON.stringify({ a: 'a'.repeat(40_000) });

  it.each(['yaml', 'cbor'] as const)(
    'to %s begins after others of the flow, if it is large',
    async (encoding) => {
      expect(await conversions(large, encoding)).toEqual(['first']);
      expect(await conversions('{"a":"b"}', encoding)).toEqual([]);
    },
  );
});
