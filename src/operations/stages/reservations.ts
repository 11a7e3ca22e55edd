import type { Allocation } from '../../kinds/strategy.ts';
import type { MaybePromise } from '../../steps/steps.ts';

/** The addresses and ports that an attempt has reserved, until it is known whether an object with them is stored. */
export class Reservations {
  #allocation: Allocation | undefined;

  hold(allocation: Allocation | undefined): void {
    this.#allocation = allocation;
  }

  /** The object is stored: releases only what the old object no longer needs. */
  kept(): MaybePromise<void> {
    return this.#take()?.commit();
  }

  /** The object is not stored. */
  released(): MaybePromise<void> {
    return this.#take()?.rollback();
  }

  /** The object may be stored: what is reserved stays reserved, so that no other object gets it. */
  leftUnknown(): void {
    this.#take();
  }

  #take(): Allocation | undefined {
    const allocation = this.#allocation;
    this.#allocation = undefined;
    return allocation;
  }
}
