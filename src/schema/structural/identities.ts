import { isContainer, type JsonObject } from './json.ts';

/**
 * Gives equal JSON values the same identity, in time linear in the size of all values asked for: each
 * container is looked at once, however many lists contain it. Numbers compare by exact value.
 */
export class Identities {
  private readonly numbers = new Map<string, number>();
  private readonly known = new Map<object, string>();

  /** Returns a text that is the same for equal values only. */
  of(value: unknown): string {
    if (!isContainer(value)) return scalarIdentity(value);
    const found = this.known.get(value);
    if (found !== undefined) return found;
    // Inner containers first; not recursive, so that depth uses no stack.
    const order: object[] = [value];
    for (let next = 0; next < order.length; next += 1) {
      for (const part of partsOf(order[next]!))
        if (isContainer(part) && !this.known.has(part)) order.push(part);
    }
    for (let next = order.length - 1; next >= 0; next -= 1) this.intern(order[next]!);
    return this.known.get(value)!;
  }

  private intern(container: object): void {
    const text = Array.isArray(container)
      ? `[${container.map((part) => this.part(part)).join(',')}`
      : Object.keys(container)
          .sort()
          .map((name) => `${JSON.stringify(name)}:${this.part((container as JsonObject)[name])}`)
          .join(',');
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(text, number);
    }
    this.known.set(container, `#${number}`);
  }

  private part(value: unknown): string {
    return isContainer(value) ? this.known.get(value)! : scalarIdentity(value);
  }
}

const partsOf = (container: object): readonly unknown[] =>
  Array.isArray(container) ? container : Object.values(container);

function scalarIdentity(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value)
      ? String(BigInt(value))
      : String(value + 0);
  return String(value);
}
