import { describe } from 'vitest';
import { closingContract } from './contract/closing.ts';
import { compactionContract } from './contract/compaction.ts';
import { ContractFixture, type StorageUnderTest } from './contract/fixture.ts';
import { immediateContract } from './contract/immediate.ts';
import { leasesContract } from './contract/leases.ts';
import { rangesContract } from './contract/ranges.ts';
import { singleKeysContract } from './contract/single-keys.ts';
import { watchesContract } from './contract/watches.ts';
import type { FakeClock } from './fake-clock.ts';
import { LateStorage } from './late-storage.ts';

type CreateStorage = (clock: FakeClock) => Promise<StorageUnderTest>;

/**
 * Contract tests for a store with a clock of its own, in another process. Its leases are tested in real time.
 */
export function remoteStorageContract(name: string, create: () => Promise<StorageUnderTest>): void {
  describe(name, () => runContract(new ContractFixture(create)));
}

function runContract(fixture: ContractFixture): void {
  for (const contract of [
    singleKeysContract,
    rangesContract,
    watchesContract,
    compactionContract,
    closingContract,
  ])
    contract(fixture);
}

/** Contract tests for every implementation of the storage port in this process. */
export function storageContract(name: string, create: CreateStorage): void {
  describe(name, () => {
    const fixture = new ContractFixture(create);
    runContract(fixture);
    leasesContract(fixture);
  });
}

/**
 * Contract tests for a store that applies changes at once: the contract, its capability, and the contract
 * again with late delivery, which shows that the contract does not depend on the capability.
 */
export function immediateStorageContract(name: string, create: CreateStorage): void {
  storageContract(name, create);
  describe(name, () => immediateContract(new ContractFixture(create)));
  storageContract(`${name}, delivering late`, async (clock) => {
    const { storage, dispose } = await create(clock);
    return { storage: new LateStorage(storage), dispose };
  });
}
