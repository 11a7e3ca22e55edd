import { aggregate } from '../../errors/aggregate.ts';
import { processClock } from '../../time/clock.ts';
import type { MaybePromise } from '../storage.ts';
import { EncryptionError } from './errors.ts';
import { type Decrypted, startsWith, type ValueTransformer } from './transformer.ts';

/** Records one encryption or decryption. `error` is undefined when it succeeded. */
export type RecordTransformation = (
  type: 'from_storage' | 'to_storage',
  prefix: string,
  seconds: number,
  error: unknown,
) => void;

export interface PrefixTransformer {
  /** The values of this transformer begin with it, such as `k8s:enc:aescbc:v1:`; empty for identity. */
  readonly prefix: string;
  readonly transformer: ValueTransformer;
}

/**
 * Several transformers of one value: the first one encrypts, and each may decrypt what begins with its
 * prefix. Prefixes may be equal: an error of one transformer does not prevent the next from being tried.
 */
export class PrefixTransformers implements ValueTransformer {
  readonly #transformers: readonly (PrefixTransformer & { readonly bytes: Uint8Array })[];
  readonly #noMatch: string;
  readonly #record: RecordTransformation;

  /** @param noMatch the error of a value whose prefix is none of these */
  constructor(transformers: readonly PrefixTransformer[], noMatch: string, record: RecordTransformation) {
    this.#transformers = transformers.map((one) => ({ ...one, bytes: Buffer.from(one.prefix) }));
    this.#noMatch = noMatch;
    this.#record = record;
  }

  encrypt(value: Uint8Array, key: string): Uint8Array {
    const { prefix, bytes, transformer } = this.#transformers[0]!;
    const start = processClock.monotonic();
    let encrypted: Uint8Array;
    try {
      encrypted = transformer.encrypt(value, key);
    } catch (error) {
      this.#record('to_storage', prefix, 0, error);
      throw error;
    }
    this.#record('to_storage', prefix, (processClock.monotonic() - start) / 1000, undefined);
    return bytes.length === 0 ? encrypted : Buffer.concat([bytes, encrypted]);
  }

  decrypt(data: Uint8Array, key: string): MaybePromise<Decrypted> {
    return this.#decryptFrom(0, data, key, processClock.monotonic(), []);
  }

  /** Tries the transformers from an index on. */
  #decryptFrom(
    first: number,
    data: Uint8Array,
    key: string,
    start: number,
    errors: unknown[],
  ): MaybePromise<Decrypted> {
    for (let index = first; index < this.#transformers.length; index += 1) {
      const { prefix, bytes, transformer } = this.#transformers[index]!;
      if (!startsWith(data, bytes)) continue;
      try {
        const result = transformer.decrypt(data.subarray(bytes.length), key);
        if (!(result instanceof Promise)) return this.#decrypted(index, start, result);
        return result.then(
          (decrypted) => this.#decrypted(index, start, decrypted),
          (error: unknown) => {
            this.#failed(prefix, error, errors);
            return this.#decryptFrom(index + 1, data, key, start, errors);
          },
        );
      } catch (error) {
        this.#failed(prefix, error, errors);
      }
    }
    if (errors.length === 0) {
      const error = new Error(this.#noMatch);
      this.#record('from_storage', 'unknown', 0, error);
      throw error;
    }
    throw combined(errors);
  }

  #decrypted(index: number, start: number, { value, stale }: Decrypted): Decrypted {
    const { prefix } = this.#transformers[index]!;
    this.#record('from_storage', prefix || 'identity', (processClock.monotonic() - start) / 1000, undefined);
    return { value, stale: stale || index !== 0 };
  }

  /** Identity only says that the value is encrypted: a later transformer may read it. */
  #failed(prefix: string, error: unknown, errors: unknown[]): void {
    if (prefix === '') return;
    this.#record('from_storage', prefix, 0, error);
    errors.push(error);
  }
}

/** One error for all; a value that a key service may decrypt later is not undecryptable. */
function combined(errors: readonly unknown[]): unknown {
  if (errors.length === 1) return errors[0];
  const message = aggregate(errors.map((error) => (error instanceof Error ? error.message : String(error))));
  const temporary = errors.find((error) => error instanceof EncryptionError);
  return temporary === undefined ? new Error(message) : new EncryptionError(message, temporary.status);
}
