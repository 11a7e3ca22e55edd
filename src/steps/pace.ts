import { stepSizes } from './sizes.ts';

/** Decides when a long walk over many small parts pauses. */
export class Pace {
  #left: number;

  constructor(private readonly partsPerStep = stepSizes.nodes) {
    this.#left = partsPerStep;
  }

  /** Counts parts that are visited at once. @returns whether the walk is to pause */
  isPause(parts = 1): boolean {
    this.#left -= parts;
    if (this.#left > 0) return false;
    this.#left = this.partsPerStep;
    return true;
  }
}
