import type { RangeAllocation } from '../model/generated/core-v1.ts';
import { internalTypes } from '../model/internal-types.ts';
import { storageCodec } from '../resources/kind-codec.ts';
import { REGISTRY_ROOT } from '../resources/stored-resource.ts';
import { errors } from '../status/errors.ts';
import { type Storage, type StoredEntry, toKey } from '../storage/storage.ts';
import { Bitmap } from './bitmap.ts';
import {
  findFree,
  type NumberPool,
  PoolChangedError,
  type PoolRepair,
  type RepairedOffsets,
} from './number-pool.ts';

/** Repairs until an offset without a holder is released; kube-apiserver's rule. */
const REPAIRS_BEFORE_RELEASE = 3;

export interface StoredNumberPoolOptions {
  readonly storage: Storage;
  /** Key below `/registry/ranges/`: `serviceips`, `secondaryserviceips` or `servicenodeports`. */
  readonly name: string;
  /** Text of the range: a CIDR, or `first-last`. */
  readonly range: string;
  readonly size: number;
  /** Size of the lower band, which is used only when the rest is full. */
  readonly band: number;
  /** Returns 0 ≤ value < 1. */
  readonly random: () => number;
}

/** The stored allocations, as this server last saw them. */
interface State {
  /** Revision of the key; 0 when it is absent. */
  readonly revision: number;
  readonly range: string;
  readonly bits: Bitmap;
}

/** A change that waits for the next write. */
interface Change {
  /** Applies the change; the result is that of the caller when the write succeeds. */
  readonly apply: (bits: Bitmap) => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A pool in the store, shared with other servers and with kube-apiserver: one RangeAllocation, changed by
 * compare-and-swap. Changes that wait at the same time are written together.
 */
export class StoredNumberPool implements NumberPool {
  readonly size: number;
  readonly #options: StoredNumberPoolOptions;
  readonly #key: string;
  readonly #codec = storageCodec(
    { apiVersion: 'v1', encoding: 'protobuf' },
    'RangeAllocation',
    internalTypes.type('core_v1.RangeAllocation'),
  );
  /** Repairs left for offsets without a holder. */
  #leaks = new Map<number, number>();
  #state: State | undefined;
  #waiting: Change[] = [];
  #writing = false;

  constructor(options: StoredNumberPoolOptions) {
    this.#options = options;
    this.size = options.size;
    this.#key = toKey(`${REGISTRY_ROOT}ranges/${options.name}`);
  }

  get allocated(): number {
    return this.#state?.bits.count ?? 0;
  }

  /** Reads the store: only dry runs ask. */
  async has(offset: number): Promise<boolean> {
    return (await this.#read()).bits.has(offset);
  }

  async reserve(offset: number): Promise<boolean> {
    if (offset < 0 || offset >= this.size) return false;
    return this.#change((bits) => {
      if (bits.has(offset)) return false;
      bits.add(offset);
      return true;
    });
  }

  allocateNext(): Promise<number | undefined> {
    const { band, random } = this.#options;
    return this.#change((bits) => {
      const isAllocated = (offset: number): boolean => bits.has(offset);
      const offset = bits.count >= this.size ? undefined : findFree(isAllocated, this.size, band, random);
      if (offset !== undefined) bits.add(offset);
      return offset;
    });
  }

  release(offset: number): Promise<void> {
    return this.#change((bits) => bits.delete(offset));
  }

  async startRepair(): Promise<PoolRepair> {
    const state = await this.#read();
    return { finish: (offsets) => this.#finishRepair(state, offsets) };
  }

  /**
   * Writes the range of this server with the offsets in use. An offset without a holder stays for some repairs,
   * because its Service may be stored only now.
   */
  async #finishRepair(state: State, offsets: readonly number[]): Promise<RepairedOffsets> {
    const bits = new Bitmap(this.size);
    // A range that another flag wrote says nothing about the offsets of this one.
    const before = state.range === this.#options.range ? state.bits : bits;
    const added: number[] = [];
    for (const offset of offsets) {
      if (!before.has(offset) && !bits.has(offset)) added.push(offset);
      bits.add(offset);
    }
    const released: number[] = [];
    const leaks = new Map<number, number>();
    for (const offset of before) {
      if (bits.has(offset)) continue;
      const left = this.#leaks.get(offset) ?? REPAIRS_BEFORE_RELEASE;
      if (left === 0) released.push(offset);
      else {
        leaks.set(offset, left - 1);
        bits.add(offset);
      }
    }
    const isCurrent = state.revision > 0 && before === state.bits && added.length + released.length === 0;
    if (!isCurrent && !(await this.#write(state, bits)))
      throw new PoolChangedError(`${this.#options.name} changed during its repair`);
    this.#leaks = leaks;
    return { added: before === state.bits && state.revision > 0 ? added : [], released };
  }

  #change<Result>(apply: (bits: Bitmap) => Result): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ apply, resolve: resolve as (result: unknown) => void, reject });
      if (!this.#writing) void this.#writeWaiting();
    });
  }

  async #writeWaiting(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const changes = this.#waiting;
      this.#waiting = [];
      try {
        const results = await this.#writeTogether(changes);
        for (const [index, { resolve }] of changes.entries()) resolve(results[index]);
      } catch (error) {
        // The outcome may be unknown. What was reserved is released by a repair.
        this.#state = undefined;
        for (const { reject } of changes) reject(error);
      }
    }
    this.#writing = false;
  }

  /** Applies all changes to the current state; a refusal is never judged on an outdated one. */
  async #writeTogether(changes: readonly Change[]): Promise<unknown[]> {
    let isCurrent = this.#state === undefined;
    let state = this.#state ?? (await this.#read());
    for (;;) {
      this.#assertUsable(state);
      const bits = state.bits.clone();
      const results = changes.map(({ apply }) => apply(bits));
      const isChanged = !bits.equals(state.bits);
      if (isChanged ? await this.#write(state, bits) : isCurrent) return results;
      // A failed write has read the current state.
      state = isChanged && this.#state !== undefined ? this.#state : await this.#read();
      isCurrent = true;
    }
  }

  #assertUsable({ revision, range }: State): void {
    const { name, range: expected } = this.#options;
    if (revision === 0)
      throw errors.serviceUnavailable(`${name} cannot be allocated yet; they are being initialized`);
    if (range !== expected)
      throw errors.internal(
        `the stored range ${range} of ${name} differs from this server's ${expected}; start all servers with the same range`,
      );
  }

  async #read(): Promise<State> {
    const { entry } = await this.#options.storage.get(this.#key);
    this.#state = this.#decode(entry);
    return this.#state;
  }

  #decode(entry: StoredEntry | undefined): State {
    if (entry === undefined) return { revision: 0, range: '', bits: new Bitmap(this.size) };
    if (entry.corruption !== undefined) throw entry.corruption;
    const { range = '', data = '' } = this.#codec.decode(entry.value, entry.revision) as RangeAllocation;
    const bits = Bitmap.fromBytes(this.size, Buffer.from(data, 'base64'));
    return { revision: entry.revision, range, bits };
  }

  /** Returns false, with the new state, when another server was faster. */
  async #write(state: State, bits: Bitmap): Promise<boolean> {
    const data = Buffer.from(bits.toBytes()).toString('base64');
    const allocation: RangeAllocation = { metadata: {}, range: this.#options.range, data };
    const result = await this.#options.storage.transact({
      key: this.#key,
      expected: state.revision,
      value: this.#codec.encode(allocation),
    });
    this.#state = result.succeeded
      ? { revision: result.revision, range: this.#options.range, bits }
      : this.#decode(result.current);
    return result.succeeded;
  }
}
