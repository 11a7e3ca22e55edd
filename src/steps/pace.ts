/** Parts visited between two pauses: some milliseconds of work. */
const PARTS_PER_STEP = 4096;

/** Decides when a long walk over many small parts pauses. */
export class Pace {
  #left: number;

  constructor(private readonly partsPerStep = PARTS_PER_STEP) {
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
