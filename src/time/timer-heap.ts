/** A timer in a {@link TimerHeap}. */
export interface HeapTimer {
  /** When it is due, on the scale of its clock. */
  readonly due: number;
  readonly callback: () => void;
}

/** A timer, its place in the order of those that are due together, and its place in the heap. */
interface Entry {
  readonly timer: HeapTimer;
  readonly sequence: number;
  index: number;
}

/** Timers in the order in which they are due; those that are due together, in the order in which they were added. */
export class TimerHeap {
  readonly #entries: Entry[] = [];
  #sequence = 0;

  /** The timer that is due first. */
  get first(): HeapTimer | undefined {
    return this.#entries[0]?.timer;
  }

  /** Adds a timer; the returned function removes it, if it is still there. */
  add(timer: HeapTimer): () => void {
    this.#sequence += 1;
    const entry = { timer, sequence: this.#sequence, index: this.#entries.length };
    this.#entries.push(entry);
    this.#raise(entry);
    return () => this.#remove(entry);
  }

  /** Removes the timer that is due first. */
  shift(): void {
    const [entry] = this.#entries;
    if (entry !== undefined) this.#remove(entry);
  }

  #remove(entry: Entry): void {
    if (this.#entries[entry.index] !== entry) return;
    const last = this.#entries.pop()!;
    if (last === entry) return;
    this.#put(last, entry.index);
    this.#raise(last);
    this.#lower(last);
  }

  #put(entry: Entry, index: number): void {
    this.#entries[index] = entry;
    entry.index = index;
  }

  #raise(entry: Entry): void {
    while (entry.index > 0) {
      const { index } = entry;
      const parent = this.#entries[(index - 1) >> 1]!;
      if (!isBefore(entry, parent)) return;
      this.#put(entry, parent.index);
      this.#put(parent, index);
    }
  }

  #lower(entry: Entry): void {
    for (;;) {
      const { index } = entry;
      const left = this.#entries[2 * index + 1];
      const right = this.#entries[2 * index + 2];
      const child = right !== undefined && isBefore(right, left!) ? right : left;
      if (child === undefined || !isBefore(child, entry)) return;
      this.#put(entry, child.index);
      this.#put(child, index);
    }
  }
}

const isBefore = (one: Entry, other: Entry): boolean =>
  one.timer.due < other.timer.due || (one.timer.due === other.timer.due && one.sequence < other.sequence);
