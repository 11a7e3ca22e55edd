import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Listening, listen } from '../../src/connection/listen-port.ts';

/** Listens until the end of the test. */
const bind: Listening['listen'] = (host, port) => {
  const server = createServer();
  onTestFinished(() => void server.close());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => resolve(server.address() as { port: number }));
  });
};
const listenOn = (port: number, requested: boolean, address = '127.0.0.1') =>
  listen({ listen: bind }, { address, port, explicit: requested });

describe('listening', () => {
  it('selects any free port for 0', async () => expect(await listenOn(0, true)).toBeGreaterThan(1023));

  it('selects the next free port when none was configured', async () => {
    const inUse = await listenOn(0, true);
    const next = await listenOn(inUse, false);
    expect(next).toBeGreaterThan(inUse);
    expect(next).toBeLessThan(inUse + 100);
  });

  it('reports in one line that the configured port is in use', async () => {
    const inUse = await listenOn(0, true);
    await expect(listenOn(inUse, true)).rejects.toThrow(`port ${inUse} on 127.0.0.1 is in use`);
  });

  it('reports in one line that the address is not local', async () => {
    await expect(listenOn(0, true, '192.0.2.1')).rejects.toThrow(
      '192.0.2.1 is not a local address: change --bind-address',
    );
  });

  it('fails when a hundred ports are in use', async () => {
    let attempts = 0;
    const refuse: Listening['listen'] = async () => {
      attempts += 1;
      throw Object.assign(new Error('x'), { code: 'EADDRINUSE' });
    };
    await expect(
      listen({ listen: refuse }, { address: '127.0.0.1', port: 6443, explicit: false }),
    ).rejects.toThrow('port 6543 on 127.0.0.1 is in use');
    expect(attempts).toBe(101);
  });
});
