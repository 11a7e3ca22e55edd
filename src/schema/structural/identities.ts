import { Pace } from '../../steps/pace.ts';
import type { Steps } from '../../steps/steps.ts';
import { isContainer, type JsonObject } from './json.ts';

/** Nodes whose visit takes as long as that of a container here. */
const CONTAINER_WORK = 4;

/**
 * Gives equal JSON values the same identity, in time linear in the size of all values asked for: each
 * container is looked at once, however many lists contain it. Numbers compare by exact value.
 */
export class Identities {
  private readonly numbers = new Map<string, number>();
  private readonly known = new Map<object, string>();
  private readonly pace = new Pace();

  /** Returns a text that is the same for equal values only, in steps. Not recursive. */
  *finding(value: unknown): Steps<string> {
    if (!isContainer(value)) return scalarIdentity(value);
    const found = this.known.get(value);
    if (found !== undefined) return found;
    const order: object[] = [value];
    for (let next = 0; next < order.length; next += 1) {
      for (const part of partsOf(order[next]!))
        if (isContainer(part) && !this.known.has(part)) order.push(part);
      if (this.pace.isPause(CONTAINER_WORK)) yield;
    }
    // Inner containers first.
    for (let next = order.length - 1; next >= 0; next -= 1) {
      this.intern(order[next]!);
      if (this.pace.isPause(CONTAINER_WORK)) yield;
    }
    return this.known.get(value)!;
  }

  private intern(container: object): void {
    let text: string;
    if (Array.isArray(container)) {
      text = '[';
      for (const part of container) text += `${this.part(part)},`;
    } else {
      text = '{';
      for (const name of Object.keys(container).sort())
        text += `${JSON.stringify(name)}${this.part((container as JsonObject)[name])},`;
    }
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

/** Returns a text that is the same for equal scalars only. */
export function scalarIdentity(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value)
      ? String(BigInt(value))
      : String(value + 0);
  return String(value);
}
