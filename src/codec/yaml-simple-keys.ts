import type { YamlReader } from './yaml-reader.ts';

/** Maximum characters between the beginning of a key and its colon. */
const maximumKey = 1024;

/** What may turn out to be the key of a mapping when a colon follows. */
export interface SimpleKey {
  isPossible: boolean;
  isRequired: boolean;
  /** Number of its first token in the document. */
  number: number;
  at: number;
  line: number;
  column: number;
}

const NO_KEY: Readonly<SimpleKey> = {
  isPossible: false,
  isRequired: false,
  number: 0,
  at: 0,
  line: 0,
  column: 0,
};

/** The possible keys of the collections that are open. */
export class SimpleKeys {
  private readonly keys: SimpleKey[] = [{ ...NO_KEY }];
  /** Those that are possible, by the numbers of their first tokens. */
  private readonly possible = new Map<number, SimpleKey>();

  constructor(private readonly reader: YamlReader) {}

  /** Whether no key is possible. */
  get isEmpty(): boolean {
    return this.possible.size === 0;
  }

  /** The key of the innermost collection. */
  get current(): SimpleKey {
    return this.keys[this.keys.length - 1]!;
  }

  /** Begins a collection whose first token has a number. */
  open(number: number): void {
    this.keys.push({ ...NO_KEY, number });
  }

  close(): void {
    this.possible.delete(this.keys.pop()!.number);
  }

  /** Whether a colon can still make a key of the token with a number. @throws DecodeError if it has to be one */
  isPossible(number: number): boolean {
    const key = this.possible.get(number);
    return key !== undefined && this.isValid(key);
  }

  /** Whether a colon at the present place makes it a key. @throws DecodeError if it has to be one, and is none */
  isValid(key: SimpleKey): boolean {
    if (!key.isPossible) return false;
    const { line, at, text } = this.reader;
    const isTooLong =
      at - key.at > maximumKey &&
      (at - key.at > 2 * maximumKey || [...text.slice(key.at, at)].length > maximumKey);
    if (key.line === line && !isTooLong) return true;
    this.forget(key);
    return false;
  }

  /** The present place cannot be in the key of the innermost collection. @throws DecodeError if it has to be one */
  forgetCurrent(): void {
    this.forget(this.current);
  }

  private forget(key: SimpleKey): void {
    if (!key.isPossible) return;
    if (key.isRequired) throw this.reader.error("could not find expected ':'");
    this.take(key);
  }

  /** Removes a key that was found. */
  take(key: SimpleKey): void {
    key.isPossible = false;
    this.possible.delete(key.number);
  }

  /** Remembers that the token with a number may begin a key. @throws DecodeError if the one before had to be one */
  save(number: number, isRequired: boolean): void {
    this.forgetCurrent();
    const { at, line, column } = this.reader;
    const key = this.current;
    key.isPossible = true;
    key.isRequired = isRequired;
    key.number = number;
    key.at = at;
    key.line = line;
    key.column = column;
    this.possible.set(number, key);
  }
}
