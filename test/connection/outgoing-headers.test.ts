import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  canonicalHeaderName,
  headersByName,
  headerValue,
  type OutgoingHeaders,
  setOutgoingHeader,
} from '../../src/connection/outgoing-headers.ts';
import { request1, request2, start } from './support.ts';

test('makes any value safe to send, and keeps its text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const value = headerValue(text);
      expect(value).toMatch(/^[\t\x20-\x7e\x80-\xff]*$/);
      const kept = [...text]
        .map((character) => (/[\x00-\x08\x0a-\x1f\x7f]/.test(character) ? ' ' : character))
        .join('');
      expect(Buffer.from(value, 'latin1').toString()).toBe(Buffer.from(kept).toString());
    }),
  );
});

test('sends a proxied response with any header names and values', async () => {
  const pairs: [string, string][] = [];
  const server = await start((exchange) => {
    for (const [name, value] of pairs) exchange.setHeader(name, value, true);
    exchange.respond(200, 'text/plain; \n', 'x');
  });
  const session = server.h2();
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(
          fc.oneof(
            fc.string(),
            fc.constantFrom(
              'Connection',
              'transfer-encoding',
              ':status',
              '__proto__',
              'X-A',
              'ETag',
              'Age',
              'Location',
            ),
          ),
          fc.string({ unit: 'binary' }),
        ),
      ),
      async (drawn) => {
        pairs.splice(0, pairs.length, ...drawn);
        expect((await request2(session, { ':path': '/' })).body.toString()).toBe('x');
        expect((await request1(server.url)).body.toString()).toBe('x');
      },
    ),
    { numRuns: 30 },
  );
});

test('append adds a value, otherwise the last value is kept', () => {
  const headers: OutgoingHeaders = [];
  setOutgoingHeader(headers, 'Warning', 'a', true);
  setOutgoingHeader(headers, 'warning', 'b', true);
  setOutgoingHeader(headers, 'X-A', '1', false);
  setOutgoingHeader(headers, 'x-a', '2', false);
  expect({ ...headersByName(headers) }).toEqual({ warning: ['a', 'b'], 'x-a': '2' });
  expect(canonicalHeaderName('audit-id')).toBe('Audit-Id');
});
