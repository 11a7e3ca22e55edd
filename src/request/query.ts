/** Query parameters of a request: read many times, decoded once, keys are data. */
export class Query {
  readonly #values = new Map<string, string[]>();

  /** @param raw the part of the target after `?` */
  constructor(raw: string) {
    if (raw === '') return;
    for (const pair of raw.split('&')) {
      if (pair === '' || pair.includes(';')) continue;
      const equals = pair.indexOf('=');
      const key = decode(equals < 0 ? pair : pair.slice(0, equals));
      const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
      if (key === undefined || value === undefined) continue;
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

  /** A boolean as the options decode it: absent is false; `false` and `0` are false; anything else, even empty, is true. */
  boolean(name: string): boolean {
    const values = this.#values.get(name);
    if (values === undefined) return false;
    const text = values[0]!.toLowerCase();
    return text !== 'false' && text !== '0';
  }
}

/** A pair that is not valid percent-encoding is left out, as the reference does. */
function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
