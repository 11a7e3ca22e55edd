import { randomBytes } from 'node:crypto';
import { aggregate } from '../../../errors/aggregate.ts';
import type { ProcessClock } from '../../../time/clock.ts';
import { EncryptionError } from '../errors.ts';
import { Envelope, type EnvelopeObserver, hashOf, timeText, type WriteKey } from './envelope.ts';
import type { KeyService } from './key-service.ts';
import { type KeyServiceStatus, SEED } from './messages.ts';
import { SEED_BYTES, seededCipher } from './seeded-cipher.ts';
import { keyIdProblem, validateObject } from './validate-source.ts';

/** How long a key may be used for writing after the service was last seen healthy, in milliseconds. */
const WRITE_MILLISECONDS = 180_000;
/** Time between checks of a healthy service, and of an unhealthy one. */
const HEALTHY_INTERVAL = 60_000;
const UNHEALTHY_INTERVAL = 10_000;
/** How long the result of a check is the answer of the next ones. */
const HEALTHY_RESULT = 20_000;
const UNHEALTHY_RESULT = 3_000;
const VERSIONS = ['v2', 'v2beta1'];
/** Any byte: a key without data is validated like one with data. */
const SOME_DATA = Buffer.from([0]);

export interface KeyProviderObserver extends EnvelopeObserver {
  statusKeyId(keyId: string): void;
  invalidStatusKeyId(code: string): void;
  /** A key was made, in this time. */
  keyGenerated(seconds: number): void;
}

export interface KeyProviderOptions {
  readonly name: string;
  readonly service: KeyService;
  readonly observer: KeyProviderObserver;
  readonly clock: ProcessClock;
  /** Called when a check has failed. */
  readonly onFailure: (error: Error) => void;
  /** Called when the service answers, after each check. */
  readonly onHealthy: () => void;
}

/**
 * A provider whose keys are encrypted by a key management service of version 2. It makes one key (a seed), has
 * it encrypted, and makes another when the service says that its own key has changed. While the service does
 * not answer, values are encrypted for three more minutes, and decrypted as far as their keys are in memory.
 */
export class KeyProvider {
  readonly name: string;
  readonly envelope: Envelope;
  readonly #options: KeyProviderOptions;
  #writeKey: WriteKey | undefined;
  #version = '';
  #result: { readonly error: Error | undefined; readonly until: number } | undefined;
  #checking: Promise<Error | undefined> | undefined;
  #cancelTimer: () => void = () => undefined;
  #closed = false;

  constructor(options: KeyProviderOptions) {
    this.#options = options;
    this.name = options.name;
    const { clock, observer, service } = options;
    this.envelope = new Envelope({
      writeKey: () => this.#writeKey,
      decryptKey: (source) => service.decrypt(source),
      observer,
      now: () => clock.now(),
    });
  }

  /** Checks the service now and from then on periodically. Resolves after the first check. */
  async start(): Promise<void> {
    const error = await this.check();
    if (this.#closed) return;
    this.#cancelTimer = this.#options.clock.after(
      error === undefined ? HEALTHY_INTERVAL : UNHEALTHY_INTERVAL,
      () => void this.start(),
    );
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer();
    this.#options.service.close();
  }

  /** Whether the service has encrypted a key, so that values can be read and written. */
  get primed(): boolean {
    return this.#writeKey !== undefined;
  }

  /** Returns why the service is not healthy; undefined when it is. Results are kept for some seconds. */
  async check(): Promise<Error | undefined> {
    const { clock } = this.#options;
    if (this.#result !== undefined && clock.monotonic() < this.#result.until) return this.#result.error;
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #check(): Promise<Error | undefined> {
    const { service, clock, onFailure, onHealthy } = this.#options;
    let error: Error | undefined;
    try {
      error = await this.#judge(await service.status());
    } catch (failure) {
      error = new Error(
        `failed to perform status section of the healthz check for KMS Provider ${this.name}, error: ${(failure as Error).message}`,
      );
    }
    this.#result = {
      error,
      until: clock.monotonic() + (error === undefined ? HEALTHY_RESULT : UNHEALTHY_RESULT),
    };
    if (this.#closed) return error;
    if (error === undefined) onHealthy();
    else onFailure(error);
    return error;
  }

  async #judge({ healthz, version, keyId }: KeyServiceStatus): Promise<Error | undefined> {
    const { observer } = this.#options;
    const problems: string[] = [];
    if (healthz !== 'ok') problems.push(`got unexpected healthz status: ${healthz}`);
    if (!VERSIONS.includes(version)) problems.push(`expected KMSv2 API version v2, got ${version}`);
    else {
      this.#version ||= version;
      if (this.#version !== version)
        problems.push(
          `KMSv2 API version should not change after the initial status response version ${this.#version}, got ${version}`,
        );
    }
    const problem = keyIdProblem(keyId);
    if (problem === undefined) {
      observer.statusKeyId(keyId);
      const rotation = await this.#rotate(keyId);
      if (rotation !== undefined) problems.push(rotation);
    } else {
      observer.invalidStatusKeyId(problem.code);
      problems.push(`got invalid KMSv2 KeyID hash ${JSON.stringify(hashOf(keyId))}: ${problem.text}`);
    }
    return problems.length === 0
      ? undefined
      : new Error(`kmsv2 Provider ${this.name} is not healthy, error: ${aggregate(problems)}`);
  }

  /** Extends the use of the current key, or makes another when the service's key has changed. */
  async #rotate(keyId: string): Promise<string | undefined> {
    const { clock } = this.#options;
    const expires = clock.now() + WRITE_MILLISECONDS;
    const current = this.#writeKey;
    if (current?.source.keyId === keyId) {
      this.#writeKey = { ...current, expires };
      return undefined;
    }
    try {
      const made = await this.#makeKey(expires);
      if (made.source.keyId === keyId) {
        this.#writeKey = made;
        return undefined;
      }
      return this.#rotationText('<nil>', keyId, made.source.keyId);
    } catch (error) {
      return this.#rotationText((error as Error).message, keyId, '');
    }
  }

  #rotationText(reason: string, statusKeyId: string, encryptKeyId: string): string {
    const current = this.#writeKey;
    const quoted = (keyId: string) => JSON.stringify(hashOf(keyId));
    const state = current === undefined ? 'got unexpected nil transformer' : '<nil>';
    return `failed to rotate DEK, errState=${state}, errGen=${reason}, statusKeyIDHash=${quoted(statusKeyId)}, encryptKeyIDHash=${quoted(encryptKeyId)}, stateKeyIDHash=${quoted(current?.source.keyId ?? '')}, expirationTimestamp=${current === undefined ? '0001-01-01T00:00:00Z' : timeText(current.expires)}`;
  }

  /** @throws Error, EncryptionError */
  async #makeKey(expires: number): Promise<WriteKey> {
    const { service, observer, clock } = this.#options;
    const start = clock.monotonic();
    const seed = randomBytes(SEED_BYTES);
    observer.keyGenerated((clock.monotonic() - start) / 1000);
    const { ciphertext, keyId, annotations } = await service.encrypt(seed).catch((error: Error) => {
      throw new EncryptionError(`failed to encrypt DEK, error: ${error.message}`);
    });
    const source = { type: SEED, encrypted: ciphertext, keyId, annotations };
    validateObject({ ...source, data: SOME_DATA });
    return { source, cipher: seededCipher(seed), expires };
  }
}
