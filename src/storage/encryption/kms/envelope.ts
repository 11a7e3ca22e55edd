import { createHash } from 'node:crypto';
import { BoundedMap } from '../../../collections/bounded-map.ts';
import type { MaybePromise } from '../../storage.ts';
import { aesGcm } from '../aes.ts';
import { EncryptionError } from '../errors.ts';
import type { Decrypted, ValueTransformer } from '../transformer.ts';
import { KeyServiceError } from './key-service.ts';
import { decodeObject, type EncryptedObject, type EncryptedSource, encodeObject, SEED } from './messages.ts';
import { seededCipher } from './seeded-cipher.ts';
import { validateObject } from './validate-source.ts';

/** Most keys that are kept in memory; one is made at each start of a server and at each change of the key. */
const MOST_KEYS = 10_000;

/** The key with which values are encrypted now. */
export interface WriteKey {
  readonly source: EncryptedSource;
  readonly cipher: ValueTransformer;
  /** Until when it may be used, in milliseconds of the wall clock. */
  readonly expires: number;
}

export interface EnvelopeObserver {
  /** A value was encrypted or decrypted with a key of the service that has this id. */
  used(type: 'from_storage' | 'to_storage', keyId: string): void;
  cacheMissed(): void;
  cacheSize(size: number): void;
}

export interface EnvelopeOptions {
  /** Returns the key for writing; undefined before the key service has answered. */
  readonly writeKey: () => WriteKey | undefined;
  /** Decrypts a key. @throws EncryptionError, KeyServiceError */
  readonly decryptKey: (source: EncryptedSource) => Promise<Uint8Array>;
  readonly observer: EnvelopeObserver;
  /** Wall clock in milliseconds. */
  readonly now: () => number;
}

/**
 * Encrypts values with a key that is stored beside them, encrypted by a key service. Decryption waits for the
 * service only for a key that is not in memory.
 */
export class Envelope implements ValueTransformer {
  readonly #options: EnvelopeOptions;
  readonly #ciphers = new BoundedMap<string, ValueTransformer>(MOST_KEYS);
  /** Keys that the service is decrypting. */
  readonly #pending = new Map<string, Promise<ValueTransformer>>();

  constructor(options: EnvelopeOptions) {
    this.#options = options;
  }

  encrypt(value: Uint8Array, key: string): Uint8Array {
    const { observer, now } = this.#options;
    const { source, cipher, expires } = this.#writeKey();
    if (now() > expires)
      throw new EncryptionError(
        `encryptedDEKSource with keyID hash ${JSON.stringify(hashOf(source.keyId))} expired at ${timeText(expires)} (current time is ${timeText(now())})`,
      );
    this.#keep(cacheKey(source), cipher);
    const data = cipher.encrypt(value, key);
    observer.used('to_storage', source.keyId);
    return encodeObject({ ...source, data });
  }

  decrypt(data: Uint8Array, key: string): MaybePromise<Decrypted> {
    const object = decodeObject(data);
    validateObject(object);
    const current = this.#writeKey().source;
    const cached = this.#ciphers.get(cacheKey(object));
    if (cached !== undefined) return this.#decrypt(cached, object, key, current);
    return this.#fetch(object).then((cipher) => this.#decrypt(cipher, object, key, current));
  }

  #writeKey(): WriteKey {
    const writeKey = this.#options.writeKey();
    if (writeKey === undefined) throw new EncryptionError('got unexpected nil transformer');
    return writeKey;
  }

  #decrypt(
    cipher: ValueTransformer,
    { data, keyId, type }: EncryptedObject,
    key: string,
    current: EncryptedSource,
  ): MaybePromise<Decrypted> {
    this.#options.observer.used('from_storage', keyId);
    const decrypted = cipher.decrypt(data, key) as Decrypted;
    return { ...decrypted, stale: keyId !== current.keyId || type !== current.type };
  }

  #fetch(source: EncryptedSource): Promise<ValueTransformer> {
    const name = cacheKey(source);
    const pending = this.#pending.get(name);
    if (pending !== undefined) return pending;
    this.#options.observer.cacheMissed();
    const fetched = this.#decryptKey(source)
      .then((cipher) => {
        this.#keep(name, cipher);
        return cipher;
      })
      .finally(() => this.#pending.delete(name));
    this.#pending.set(name, fetched);
    return fetched;
  }

  async #decryptKey(source: EncryptedSource): Promise<ValueTransformer> {
    let plaintext: Uint8Array;
    try {
      plaintext = await this.#options.decryptKey(source);
    } catch (error) {
      const text = `failed to decrypt DEK, error: ${(error as Error).message}`;
      if (error instanceof EncryptionError) throw new EncryptionError(text, error.status);
      throw error instanceof KeyServiceError ? new KeyServiceError(text, error.status) : error;
    }
    if (source.type === SEED) return seededCipher(plaintext);
    if (![16, 24, 32].includes(plaintext.length))
      throw new Error(`crypto/aes: invalid key size ${plaintext.length}`);
    return aesGcm(plaintext);
  }

  #keep(name: string, cipher: ValueTransformer): void {
    if (this.#ciphers.get(name) === cipher) return;
    this.#ciphers.set(name, cipher);
    this.#options.observer.cacheSize(this.#ciphers.size);
  }
}

/** Identifies an encrypted key in memory. */
function cacheKey({ type, encrypted, keyId, annotations }: EncryptedSource): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([type, encrypted.length, keyId]))
    .update(encrypted);
  for (const [name, value] of [...annotations].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(JSON.stringify([name, value.length])).update(value);
  return hash.digest('base64');
}

/** `sha256:` and the hash in hexadecimal; empty for an empty text. */
export const hashOf = (text: string): string =>
  text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;

export const timeText = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(/\.\d+/, '');
