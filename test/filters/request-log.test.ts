import { describe, expect, it } from 'vitest';
import { requestLogFilter } from '../../src/filters/request-log.ts';
import { createLogger } from '../../src/observability/log.ts';
import type { Handler } from '../../src/request/context.ts';
import { request } from './context.ts';

function logged(verbosity: number) {
  const lines: string[] = [];
  const logger = createLogger({ format: 'json', verbosity, write: (line) => lines.push(line) });
  return { lines, filter: requestLogFilter(logger) };
}
const ok: Handler = (context) => {
  context.status = 200;
  context.exchange.respond(200, 'text/plain', 'ok');
};

describe('request log', () => {
  it('logs nothing below -v=3', async () => {
    const { lines, filter } = logged(2);
    await filter(request('GET', '/version').context, ok);
    expect(lines).toEqual([]);
  });

  it('logs a line when the request has ended', async () => {
    const { lines, filter } = logged(3);
    let end = () => {};
    const { context } = request('GET', '/api/v1/pods?watch=1', {
      headers: { 'user-agent': 'a\n"b"' },
      remoteAddress: '10.0.0.9',
    });
    const watching = filter(context, (one) => {
      void ok(one);
      return new Promise((resolve) => {
        end = resolve;
      });
    });
    expect(lines).toEqual([]);
    end();
    await watching;
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      msg: 'HTTP',
      verb: 'WATCH',
      URI: '/api/v1/pods?watch=1',
      userAgent: 'a\n"b"',
      user: 'system:anonymous',
      srcIP: '10.0.0.9',
      resp: 200,
      latency: expect.stringMatching(/^\d+\.\d{3}ms$/),
    });
  });

  it('logs failed requests and disconnected clients', async () => {
    const { lines, filter } = logged(3);
    const failing: Handler = () => Promise.reject(new Error('x'));
    await expect(filter(request('GET', '/version').context, failing)).rejects.toThrow('x');
    expect(JSON.parse(lines[0]!)).toMatchObject({ verb: 'GET', resp: 0, aborted: true });
  });
});
