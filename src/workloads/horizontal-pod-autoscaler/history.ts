/** Longest time that rules of an autoscaler look back, milliseconds: what is older is forgotten. */
const LONGEST = 3_600_000;
/** Entries of one list; at the bound, the oldest one is forgotten. */
const CAPACITY = 4096;

/** A number of Pods that was recommended or added at a time. */
export interface Entry {
  readonly replicas: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What was recommended and done for one object. */
export class ScaleHistory {
  /** Recommendations before they were stabilized. */
  readonly recommended: Entry[] = [];
  /** Pods added. */
  readonly added: Entry[] = [];
  /** Pods removed. */
  readonly removed: Entry[] = [];
  readonly #longest: number;

  /** @param longest the longest time that the settings look back, milliseconds */
  constructor(longest: number) {
    this.#longest = Math.max(LONGEST, longest);
  }

  recommend(replicas: number, at: number): void {
    this.#add(this.recommended, { replicas, at });
  }

  scaled(from: number, to: number, at: number): void {
    this.#add(to > from ? this.added : this.removed, { replicas: Math.abs(to - from), at });
  }

  #add(entries: Entry[], entry: Entry): void {
    const isOld = ({ at }: Entry): boolean => at < entry.at - this.#longest;
    while (entries.length >= CAPACITY || (entries[0] !== undefined && isOld(entries[0]))) entries.shift();
    entries.push(entry);
  }
}
