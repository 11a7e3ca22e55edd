import { expect, it } from 'vitest';
import { MasterLeases } from '../../src/replicas/master-leases.ts';
import { countedAddresses, leasedAddresses } from '../../src/replicas/server-addresses.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';

it('lists the addresses of servers that renew their keys', async () => {
  const storage = createMemoryStorage();
  const [one, other] = ['192.0.2.10', '192.0.2.9'].map((address) =>
    leasedAddresses(address, new MasterLeases(storage)),
  ) as [ReturnType<typeof leasedAddresses>, ReturnType<typeof leasedAddresses>];
  expect(await one.announce([])).toEqual(['192.0.2.10']);
  expect(await other.announce([])).toEqual(['192.0.2.10', '192.0.2.9']);
  const before = (await storage.get('/registry/masterleases/192.0.2.9')).entry!;
  await other.announce([]);
  const after = (await storage.get('/registry/masterleases/192.0.2.9')).entry!;
  expect(after.revision).toBeGreaterThan(before.revision);
  expect(Buffer.compare(after.value, before.value)).not.toBe(0);
  expect(await one.withdraw()).toEqual(['192.0.2.9']);
  expect(await other.withdraw()).toEqual([]);
  await storage.close();
});

it('keeps the own and the following addresses of a fixed number of servers', async () => {
  const addresses = countedAddresses('10.0.0.3', 2);
  expect(await addresses.announce([])).toEqual(['10.0.0.3']);
  expect(await addresses.announce(['10.0.0.1', '10.0.0.2', '10.0.0.4'])).toEqual(['10.0.0.3', '10.0.0.4']);
  expect(await countedAddresses('10.0.0.4', 2).announce(['10.0.0.1', '10.0.0.3'])).toEqual([
    '10.0.0.1',
    '10.0.0.4',
  ]);
});
