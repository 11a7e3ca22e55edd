import { connect } from 'node:http2';
import { afterEach, describe, expect, it } from 'vitest';
import { BuiltServer } from './support/built-server.ts';

/** The end of a response: `end` if it was complete, `aborted` if it was cut off. */
type End = 'end' | 'aborted';

describe('graceful shutdown', () => {
  let server: BuiltServer;
  afterEach(() => server.remove());

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s closes watches cleanly and exits with success',
    async (signal) => {
      server = await new BuiltServer().start();
      const session = connect(server.url, {
        ca: server.credential('certificate-authority-data'),
        cert: server.credential('client-certificate-data'),
        key: server.credential('client-key-data'),
      });
      const ends: Promise<End>[] = [];
      await Promise.all(
        Array.from({ length: 50 }, () => {
          const stream = session.request({
            ':path': '/api/v1/configmaps?watch=1&allowWatchBookmarks=true',
            accept: 'application/json',
          });
          stream.resume();
          ends.push(
            new Promise((resolve) => {
              stream.on('end', () => resolve('end'));
              stream.on('aborted', () => resolve('aborted'));
              stream.on('error', () => resolve('aborted'));
            }),
          );
          return new Promise((resolve) => stream.on('response', resolve));
        }),
      );
      const ending = await server.end(signal);
      expect(ending).toEqual({ code: 0, signal: null });
      expect(new Set(await Promise.all(ends))).toEqual(new Set(['end']));
      session.destroy();
    },
  );

  it('is not preceded by a debugger: SIGUSR1 is ignored', async () => {
    server = await new BuiltServer().start();
    server.signal('SIGUSR1');
    expect((await server.request('/readyz')).status).toBe(200);
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(server.output).not.toContain('Debugger listening');
  });

  it('releases its port and its data immediately', async () => {
    server = await new BuiltServer().start();
    const { url } = server;
    await server.end('SIGTERM');
    await server.start();
    expect(server.url).toBe(url);
    expect((await server.request('/readyz')).status).toBe(200);
  });

  it('rejects a data directory that another server uses', async () => {
    server = await new BuiltServer().start();
    const second = new BuiltServer([`--data-dir=${server.directory}/data`]);
    try {
      await expect(second.start()).rejects.toThrow(/the server ended:[\s\S]*(in use|another|uses)/);
    } finally {
      await second.remove();
    }
    expect((await server.request('/readyz')).status).toBe(200);
  });
});
