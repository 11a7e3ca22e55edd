import { decodePercent } from './percent-encoding.ts';

/** Query parameters of a request: read many times, decoded once, keys are data. */
export class Query {
  readonly #values = new Map<string, string[]>();
  /**
   * The first pair that cannot be read: a malformed escape, or a `;`, which once separated pairs. Such a pair
   * is in no other answer of this class, so a request that has one must be refused: without it the request
   * might mean more.
   */
  readonly malformed: string | undefined;

  /** @param raw the part of the target after `?`, as received: one character per byte */
  constructor(raw: string) {
    if (raw === '') return;
    for (const pair of raw.split('&')) {
      if (pair === '') continue;
      const equals = pair.indexOf('=');
      const key = decodePercent(equals < 0 ? pair : pair.slice(0, equals), true);
      const value = equals < 0 ? '' : decodePercent(pair.slice(equals + 1), true);
      if (key === undefined || value === undefined || pair.includes(';')) {
        this.malformed ??= pair;
        continue;
      }
      const list = this.#values.get(key);
      if (list === undefined) this.#values.set(key, [value]);
      else list.push(value);
    }
  }

  /** First value, or '' when absent. */
  get(name: string): string {
    return this.#values.get(name)?.[0] ?? '';
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  names(): Iterable<string> {
    return this.#values.keys();
  }

  get empty(): boolean {
    return this.#values.size === 0;
  }

  /**
   * A boolean as the options decode it: absent is false; `false` and `0` are false; anything else, even
   * empty, is true.
   */
  boolean(name: string): boolean {
    const values = this.#values.get(name);
    if (values === undefined) return false;
    const text = values[0]!.toLowerCase();
    return text !== 'false' && text !== '0';
  }
}
