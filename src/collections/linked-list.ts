/** An element of at most one list. Only the list sets the links. */
export interface Linked<Element> {
  previous: Element | undefined;
  next: Element | undefined;
}

/**
 * Elements in the order in which they were added. Meant for short lists that change often, such as open
 * requests: a Set allocates a new table whenever it becomes empty, and in V8 the objects of the old table stay
 * alive until the next full garbage collection. A removed element has no links to others.
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
