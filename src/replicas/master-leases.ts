import type { Endpoints } from '../model/generated/core-v1.ts';
import { internalTypes } from '../model/internal-types.ts';
import { storageCodec } from '../resources/kind-codec.ts';
import { REGISTRY_ROOT } from '../resources/stored-resource.ts';
import { prefixEnd, type Storage, toKey } from '../storage/storage.ts';
import { addressesOf } from './endpoint-addresses.ts';

const PREFIX = `${REGISTRY_ROOT}masterleases/`;
/** Seconds after which the address of a server that is gone leaves the list; kube-apiserver's value. */
const LEASE_SECONDS = 15;

/**
 * The addresses of the servers that share a store: each keeps a key that ends unless it is renewed. The keys
 * are those of kube-apiserver.
 */
export class MasterLeases {
  readonly #storage: Storage;
  readonly #codec = storageCodec(
    { apiVersion: 'v1', encoding: 'protobuf' },
    'Endpoints',
    internalTypes.type('core_v1.Endpoints'),
  );

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** The sorted addresses of all running servers. */
  async addresses(): Promise<string[]> {
    const { entries } = await this.#storage.range({ start: PREFIX, end: prefixEnd(PREFIX) });
    const addresses = entries.flatMap(({ value, revision, corruption }) => {
      if (corruption !== undefined) throw corruption;
      return addressesOf(this.#codec.decode(value, revision) as Endpoints);
    });
    return [...new Set(addresses)].sort();
  }

  /** Renews the key of an address. */
  async renew(address: string): Promise<void> {
    const key = toKey(PREFIX + address);
    let { entry } = await this.#storage.get(key);
    for (;;) {
      const { metadata = {} } = entry === undefined ? {} : this.#codec.decode(entry.value, entry.revision);
      const lease: Endpoints = {
        metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 },
        subsets: [{ addresses: [{ ip: address }] }],
      };
      const result = await this.#storage.transact({
        key,
        expected: entry?.revision ?? 0,
        value: this.#codec.encode(lease),
        timeToLiveSeconds: LEASE_SECONDS,
      });
      if (result.succeeded) return;
      entry = result.current;
    }
  }

  /** Removes the key of an address. */
  async remove(address: string): Promise<void> {
    const key = toKey(PREFIX + address);
    let { entry } = await this.#storage.get(key);
    while (entry !== undefined) {
      const result = await this.#storage.transact({ key, expected: entry.revision, value: undefined });
      if (result.succeeded) return;
      entry = result.current;
    }
  }
}
