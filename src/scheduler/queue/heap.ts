/** Items in an order, of which the first is taken, and any can be deleted. */
export class Heap<Item> {
  readonly #compare: (left: Item, right: Item) => number;
  readonly #items: Item[] = [];
  readonly #places = new Map<Item, number>();

  /** @param compare must not change for an item while it is in the heap */
  constructor(compare: (left: Item, right: Item) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  get first(): Item | undefined {
    return this.#items[0];
  }

  /** Adds an item that is not in the heap. */
  push(item: Item): void {
    this.#items.push(item);
    this.#rise(this.#items.length - 1);
  }

  pop(): Item | undefined {
    const item = this.#items[0];
    if (item !== undefined) this.delete(item);
    return item;
  }

  delete(item: Item): void {
    const place = this.#places.get(item);
    if (place === undefined) return;
    this.#places.delete(item);
    const last = this.#items.pop()!;
    if (last === item) return;
    this.#items[place] = last;
    this.#rise(place);
    this.#sink(this.#places.get(last)!);
  }

  clear(): void {
    this.#items.length = 0;
    this.#places.clear();
  }

  #rise(start: number): void {
    const item = this.#items[start]!;
    let place = start;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#compare(this.#items[parent]!, item) <= 0) break;
      this.#put(place, this.#items[parent]!);
      place = parent;
    }
    this.#put(place, item);
  }

  #sink(start: number): void {
    const item = this.#items[start]!;
    let place = start;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#items.length) break;
      if (child + 1 < this.#items.length && this.#compare(this.#items[child + 1]!, this.#items[child]!) < 0)
        child += 1;
      if (this.#compare(item, this.#items[child]!) <= 0) break;
      this.#put(place, this.#items[child]!);
      place = child;
    }
    this.#put(place, item);
  }

  #put(place: number, item: Item): void {
    this.#items[place] = item;
    this.#places.set(item, place);
  }
}
