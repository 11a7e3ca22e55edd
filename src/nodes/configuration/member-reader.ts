import { parseQuantity, quantitySign } from '../../model/quantity.ts';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { parseDelay } from '../pods/delay.ts';

type Members = Readonly<Record<string, unknown>>;

/** Whether a value is an object of named members. */
export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the members of a configuration document, and collects what is wrong with them. */
export class MemberReader {
  readonly #members: Members;
  readonly #path: string;
  readonly #read = new Set<string>();
  readonly errors: FieldError[];

  /** @param path of the members, ending with a dot, or empty */
  constructor(members: Members, path: string, errors: FieldError[]) {
    this.#members = members;
    this.#path = path;
    this.errors = errors;
  }

  /** The value of a member; undefined if it is absent or null. */
  value(name: string): unknown {
    this.#read.add(name);
    return Object.hasOwn(this.#members, name) ? (this.#members[name] ?? undefined) : undefined;
  }

  pathOf(name: string): string {
    return this.#path + name;
  }

  invalid(name: string, detail: string): undefined {
    this.errors.push(invalid(this.pathOf(name), this.#members[name], detail));
    return undefined;
  }

  text(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'string') return value;
    return this.invalid(name, 'must be a string');
  }

  boolean(name: string): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'boolean') return value;
    return this.invalid(name, 'must be true or false');
  }

  /** A whole number of a range. */
  integer(name: string, least: number, most: number): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      ? value
      : this.invalid(name, `must be a whole number from ${least} to ${most}`);
  }

  /** A duration in milliseconds: `2s`, or a number of milliseconds. */
  duration(name: string, least: number): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const delay =
      typeof value === 'number' || typeof value === 'string' ? parseDelay(String(value)) : undefined;
    return delay !== undefined && 'after' in delay && delay.after >= least
      ? delay.after
      : this.invalid(name, `must be a duration of at least ${least}ms, such as "2s"`);
  }

  /** An amount of a resource. */
  quantity(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const text = typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' && isAmount(text)
      ? text
      : this.invalid(name, 'must be a quantity of at least 0, such as "8" or "16Gi"');
  }

  /** Texts by name. */
  texts(name: string): Readonly<Record<string, string>> | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    return isMembers(value) && Object.values(value).every((text) => typeof text === 'string')
      ? (value as Readonly<Record<string, string>>)
      : this.invalid(name, 'must be an object of strings');
  }

  /** Texts in order. */
  list(name: string, most: number): readonly string[] {
    const value = this.value(name);
    if (value === undefined) return [];
    if (Array.isArray(value) && value.length <= most && value.every((text) => typeof text === 'string'))
      return value;
    this.invalid(name, `must be a list of at most ${most} strings`);
    return [];
  }

  /** Objects, each with a reader. */
  objects(name: string): MemberReader[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || !value.every(isMembers))
      return this.invalid(name, 'must be a list of objects');
    return value.map(
      (members, index) => new MemberReader(members, `${this.pathOf(name)}[${index}].`, this.errors),
    );
  }

  /** An object with a reader. */
  object(name: string): MemberReader | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (!isMembers(value)) return this.invalid(name, 'must be an object');
    return new MemberReader(value, `${this.pathOf(name)}.`, this.errors);
  }

  /** The names of all members. */
  names(): string[] {
    return Object.keys(this.#members);
  }

  missing(name: string, detail: string): undefined {
    this.errors.push(required(this.pathOf(name), detail));
    return undefined;
  }

  /** Reports the members that nobody has read. */
  end(): void {
    for (const name of this.names())
      if (!this.#read.has(name))
        this.invalid(name, `is no member; the members are ${[...this.#read].sort().join(', ')}`);
  }
}

function isAmount(text: string): boolean {
  try {
    return quantitySign(parseQuantity(text)) >= 0;
  } catch {
    return false;
  }
}
