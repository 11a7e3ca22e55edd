import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../src/config/port.ts';

function server() {
  const made = createServer();
  onTestFinished(() => void made.close());
  return made;
}
const take = (port: number, asked: boolean, address = '127.0.0.1') => listen(server(), { address, port, asked });

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
    await expect(take(0, true, '192.0.2.1')).rejects.toThrow('192.0.2.1 is not an address of this machine: change --bind-address');
  });

  it('leaves no listeners behind', async () => {
    const taken = await take(0, true);
    const other = server();
    await listen(other, { address: '127.0.0.1', port: taken, asked: false });
    expect(other.listenerCount('error') + other.listenerCount('listening')).toBe(0);
  });
});
