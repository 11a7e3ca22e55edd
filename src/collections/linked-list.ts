/** An element of at most one list, which sets the links. */
export interface Linked<Element> {
  previous: Element | undefined;
  next: Element | undefined;
}

/**
 * Elements in the order in which they were added. For few elements at a time that come and go often, as requests do: a
 * Set allocates whenever it becomes empty, and V8 keeps what an old table of it refers to alive until the next full
 * collection. A removed element refers to no other.
 */
export class LinkedList<Element extends Linked<Element>> {
  first: Element | undefined;
  size = 0;
  #last: Element | undefined;

  /** Adds an element that is in no list. */
  add(element: Element): void {
    const last = this.#last;
    if (last === undefined) this.first = element;
    else last.next = element;
    element.previous = last;
    this.#last = element;
    this.size += 1;
  }

  /** Removes an element; false if it is in no list. */
  delete(element: Element): boolean {
    const { previous, next } = element;
    if (previous === undefined && this.first !== element) return false;
    if (previous === undefined) this.first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    element.previous = undefined;
    element.next = undefined;
    this.size -= 1;
    return true;
  }
}
