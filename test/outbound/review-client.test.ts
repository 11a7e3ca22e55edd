import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OutboundClient } from '../../src/outbound/outbound-client.ts';
import { WEBHOOK_BACKOFF } from '../../src/outbound/retries.ts';
import { createReviewClient, ResponseStatusError } from '../../src/outbound/review-client.ts';

interface Seen {
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
}

describe('createReviewClient', () => {
  let server: Server;
  let seen: Seen[];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const closers: (() => void)[] = [];

  beforeEach(async () => {
    seen = [];
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk;
      });
      request.on('end', () => {
        seen.push({ url: request.url, authorization: request.headers.authorization, body });
        answer(request, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const client = (extra: object = {}, timeout = 30_000) => {
    const endpoint = { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, ...extra };
    const made = createReviewClient({
      client: new OutboundClient(),
      endpoint,
      timeout,
      backoff: WEBHOOK_BACKOFF,
      sleep: async () => undefined,
      random: () => 0,
    });
    closers.push(() => made.close());
    return made;
  };

  it('posts JSON with timeout and credentials and parses the response', async () => {
    answer = (_request, response) => response.end('{"a":1}');
    expect(await client({ token: 'secret' }).post({ ask: true })).toEqual({ a: 1 });
    expect(seen).toEqual([
      { url: '/hook?timeout=30s', authorization: 'Bearer secret', body: '{"ask":true}' },
    ]);
  });

  it('reads the token file for each request', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'binnacle-outbound-'));
    closers.push(() => rmSync(directory, { recursive: true }));
    const tokenFile = join(directory, 'token');
    answer = (_request, response) => response.end('{}');
    const made = client({ tokenFile, token: 'other' });
    writeFileSync(tokenFile, 'one\n');
    await made.post({});
    writeFileSync(tokenFile, 'two\n');
    await made.post({});
    expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer one', 'Bearer two']);
  });

  it.each([
    [500, {}, 5],
    [429, {}, 5],
    [503, { 'retry-after': '1' }, 5],
    [503, {}, 1],
    [400, {}, 1],
  ])('handles status %i %j with the expected number of attempts', async (status, headers, tries) => {
    answer = (_request, response) => response.writeHead(status, headers).end('what was sent: secret');
    const error = await client()
      .post({ spec: { token: 'secret' } })
      .catch((caught: unknown) => caught as Error);
    expect(error).toBeInstanceOf(ResponseStatusError);
    expect((error as Error).message).not.toContain('secret');
    expect(seen).toHaveLength(tries);
  });

  it.each([
    ['garbage', 'json parse error: json: cannot unmarshal string'],
    ['[]', 'json parse error: json: cannot unmarshal array'],
    [`{"a":"${'x'.repeat(2 << 20)}"}`, 'longer than'],
  ])('rejects an invalid response', async (body, text) => {
    answer = (_request, response) => response.end(body);
    await expect(client().post({})).rejects.toThrow(text);
  });

  it('aborts a request after its timeout', async () => {
    answer = () => undefined;
    await expect(client({}, 50).post({})).rejects.toThrow('context deadline exceeded');
  });
});
