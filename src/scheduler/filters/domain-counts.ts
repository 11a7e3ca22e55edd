/** How many pods there are in each value of a node label, and the least of it. */
export class DomainCounts {
  readonly #counts = new Map<string, number>();
  /** How many domains have a count. */
  readonly #frequency = new Map<number, number>();
  #least = Number.MAX_SAFE_INTEGER;

  get domains(): number {
    return this.#counts.size;
  }

  /** The least count of a domain. */
  get least(): number {
    return this.#least;
  }

  of(domain: string): number {
    return this.#counts.get(domain) ?? 0;
  }

  /** Makes a domain known, and adds to its count. */
  add(domain: string, delta: number): void {
    const before = this.#counts.get(domain);
    const after = (before ?? 0) + delta;
    this.#counts.set(domain, after);
    this.#frequency.set(after, (this.#frequency.get(after) ?? 0) + 1);
    if (before !== undefined) this.#leave(before);
    if (after < this.#least) this.#least = after;
    else if (before === this.#least && !this.#frequency.has(before)) this.#least = this.#findLeast();
  }

  #leave(count: number): void {
    const left = this.#frequency.get(count)! - 1;
    if (left === 0) this.#frequency.delete(count);
    else this.#frequency.set(count, left);
  }

  #findLeast(): number {
    let least = Number.MAX_SAFE_INTEGER;
    for (const count of this.#frequency.keys()) if (count < least) least = count;
    return least;
  }
}
