import { decodePercent } from './percent-encoding.ts';

/** Maximum parameters of a request; Go's servers have the same. */
const MAXIMUM_PARAMETERS = 10_000;

/** The query parameters of a request. Decoded once; untrusted keys are data. */
export class Query {
  readonly #values = new Map<string, string[]>();
  /**
   * The first malformed pair: an invalid escape, or a `;`, which once separated pairs. Other members ignore
   * such a pair, so the request must be rejected: ignoring the pair could widen the request.
   */
  readonly malformed: string | undefined;
  /** Whether there are more parameters than the maximum: such a query is not decoded, and must be rejected. */
  readonly exceedsMaximum: boolean = false;

  /** @param raw the part of the target after `?`, with one character per received byte */
  constructor(raw: string) {
    if (raw === '') return;
    const pairs = raw.split('&', MAXIMUM_PARAMETERS + 1);
    if (pairs.length > MAXIMUM_PARAMETERS) {
      this.exceedsMaximum = true;
      return;
    }
    for (const pair of pairs) {
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

  /** The first value, or '' if absent. */
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

  /** A boolean option: absent, `false` and `0` are false; anything else, even empty, is true. */
  boolean(name: string): boolean {
    const values = this.#values.get(name);
    if (values === undefined) return false;
    const text = values[0]!.toLowerCase();
    return text !== 'false' && text !== '0';
  }
}
