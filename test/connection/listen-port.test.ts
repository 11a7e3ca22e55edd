import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Listening, listen } from '../../src/connection/listen-port.ts';

/** Listens until the test is over. */
const bind: Listening['listen'] = (host, port) => {
  const server = createServer();
  onTestFinished(() => void server.close());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => resolve(server.address() as { port: number }));
  });
};
const take = (port: number, asked: boolean, address = '127.0.0.1') =>
  listen({ listen: bind }, { address, port, explicit: asked });

describe('listening', () => {
  it('takes any free port for 0', async () => expect(await take(0, true)).toBeGreaterThan(1023));

  it('takes the next free port when none was asked for', async () => {
    const taken = await take(0, true);
    const next = await take(taken, false);
    expect(next).toBeGreaterThan(taken);
    expect(next).toBeLessThan(taken + 100);
  });

  it('says in one line that the port asked for is in use', async () => {
    const taken = await take(0, true);
    await expect(take(taken, true)).rejects.toThrow(`port ${taken} on 127.0.0.1 is in use`);
  });

  it("says in one line that the address is not this machine's", async () => {
    await expect(take(0, true, '192.0.2.1')).rejects.toThrow(
      '192.0.2.1 is not an address of this machine: change --bind-address',
    );
  });

  it('gives up when a hundred ports are taken', async () => {
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
