import { maximumJsonDepth } from '../codec/json-scan.ts';
import { isJsonObject } from '../model/json-object.ts';
import { setMember } from '../model/object.ts';
import type { Members } from './tree.ts';

type Container = Members | unknown[];

/** The tokens of a JSON pointer (RFC 6901), or undefined when it names no member: `/a~1b/0` is `a/b`, `0`. */
export function pointerTokens(pointer: string): readonly string[] | undefined {
  const parts = pointer.split('/', MAXIMUM_TOKENS + 2);
  return parts.length < 2 || parts.length > MAXIMUM_TOKENS + 1
    ? undefined
    : parts.slice(1).map(unescapeToken);
}

/** A document has at most this depth: a longer pointer names no member. */
const MAXIMUM_TOKENS = maximumJsonDepth;

/** The name that a token of a JSON pointer stands for: `a~1b~0` is `a/b~`. */
export const unescapeToken = (token: string): string =>
  token.includes('~') ? token.replace(/~[01]/g, (found) => (found === '~1' ? '/' : '~')) : token;

/**
 * A copy-on-write tree changed by pointers: containers are copied on their first change, the original tree is
 * not modified. Every change returns whether it was possible; an unresolvable pointer changes nothing.
 */
export class PointerTree {
  /** Work so far: tokens followed, and members and items copied or moved. */
  work = 0;
  /** Containers owned by this tree, which may be changed. Other containers never contain one of them. */
  readonly #own = new Set<object>();
  /** Containers that were put into this tree. */
  readonly #added = new Set<object>();

  /**
   * @param decoded gets the containers that pointers and {@link decode} traverse
   */
  constructor(
    public root: unknown,
    private readonly decoded?: Set<object>,
  ) {}

  /** Marks a value and all that it contains as decoded. */
  decode(value: unknown): void {
    if (this.decoded === undefined) return;
    const rest: unknown[] = [value];
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      if (!isContainer(next)) continue;
      this.decoded.add(next);
      for (const key of Object.keys(next)) rest.push((next as Members)[key] ?? null);
    }
  }

  /** Marks a copy of a value as decoded where the value is. */
  decodeCopy(value: object, copy: object): void {
    if (this.decoded?.has(value) === true) this.decoded.add(copy);
  }

  replaceRoot(value: unknown): true {
    this.#put(value);
    this.root = value;
    return true;
  }

  /** The value at a pointer. Reachable: its container exists, and for an array the index, too. */
  find(tokens: readonly string[] | undefined): { reachable: boolean; value: unknown } {
    const container = this.#container(tokens, false);
    if (container === undefined) return { reachable: false, value: undefined };
    const key = tokens!.at(-1)!;
    if (!Array.isArray(container))
      return { reachable: true, value: Object.hasOwn(container, key) ? container[key] : undefined };
    const index = arrayIndex(key, container.length);
    return index === undefined
      ? { reachable: false, value: undefined }
      : { reachable: true, value: container[index] };
  }

  /** Whether the container of a pointer's value is as it was: neither changed nor put into this tree. */
  isOriginal(tokens: readonly string[]): boolean {
    let container = this.root;
    for (const token of tokens.slice(0, -1)) {
      if (this.#added.has(container as object)) return false;
      container = Array.isArray(container)
        ? container[arrayIndex(token, container.length)!]
        : (container as Members)[token];
    }
    return !this.#added.has(container as object) && !this.#own.has(container as object);
  }

  #put(value: unknown): void {
    if (isContainer(value)) this.#added.add(value);
  }

  /** Sets a member, or inserts an item; `-` and -1 are the end of an array. */
  add(tokens: readonly string[] | undefined, value: unknown): boolean {
    this.#put(value);
    const container = this.#container(tokens, true);
    if (container === undefined) return false;
    const key = tokens!.at(-1)!;
    if (!Array.isArray(container)) setMember(container, key, value);
    else {
      const index = key === '-' ? container.length : arrayIndex(key, container.length + 1);
      if (index === undefined) return false;
      this.work += (container.length - index) / ITEMS_MOVED_PER_TOKEN;
      container.splice(index, 0, value);
    }
    return true;
  }

  /** Sets a member, new or existing, or an existing item. */
  replace(tokens: readonly string[] | undefined, value: unknown): boolean {
    this.#put(value);
    const container = this.#container(tokens, true);
    if (container === undefined) return false;
    const key = tokens!.at(-1)!;
    if (!Array.isArray(container)) setMember(container, key, value);
    else {
      const index = arrayIndex(key, container.length);
      if (index === undefined) return false;
      container[index] = value;
    }
    return true;
  }

  remove(tokens: readonly string[] | undefined): boolean {
    const container = this.#container(tokens, true);
    if (container === undefined) return false;
    const key = tokens!.at(-1)!;
    if (!Array.isArray(container)) return Object.hasOwn(container, key) && delete container[key];
    const index = arrayIndex(key, container.length);
    if (index === undefined) return false;
    this.work += (container.length - index) / ITEMS_MOVED_PER_TOKEN;
    container.splice(index, 1);
    return true;
  }

  /**
   * The container of the last token; with `own`, it and its ancestors are copied so that they may be changed.
   */
  #container(tokens: readonly string[] | undefined, own: boolean): Container | undefined {
    if (tokens === undefined || !isContainer(this.root)) return undefined;
    this.work += tokens.length;
    let container = own ? this.#owned(this.root) : this.root;
    if (own) this.root = container;
    this.decoded?.add(container);
    for (const token of tokens.slice(0, -1)) {
      const key = Array.isArray(container)
        ? arrayIndex(token, container.length)
        : Object.hasOwn(container, token)
          ? token
          : undefined;
      if (key === undefined) return undefined;
      let next = (container as Members)[key];
      if (!isContainer(next)) return undefined;
      if (own) {
        next = this.#owned(next);
        setMember(container, String(key), next);
      }
      container = next as Container;
      this.decoded?.add(container);
    }
    return container;
  }

  #owned(container: Container): Container {
    if (this.#own.has(container)) return container;
    const copy = Array.isArray(container) ? [...container] : this.#copyOf(container);
    if (Array.isArray(copy)) this.work += copy.length / ITEMS_MOVED_PER_TOKEN;
    this.#own.add(copy);
    return copy;
  }

  /** Twice as fast as a spread where there are thousands of members. */
  #copyOf(container: Members): Members {
    const copy: Members = {};
    const names = Object.keys(container);
    for (const name of names) setMember(copy, name, container[name]);
    this.work += names.length / MEMBERS_COPIED_PER_TOKEN;
    return copy;
  }
}

/** Moving this many items of an array takes as long as following a token. */
const ITEMS_MOVED_PER_TOKEN = 64;
/** Copying this many members takes as long as following a token. */
const MEMBERS_COPIED_PER_TOKEN = 4;

function isContainer(value: unknown): value is Container {
  return Array.isArray(value) || isJsonObject(value);
}

/** An index below `length`; negative ones count from the end. */
function arrayIndex(token: string, length: number): number | undefined {
  if (!/^[+-]?\d+$/.test(token)) return undefined;
  const index = Number(token);
  if (index >= length || index < -length) return undefined;
  return index < 0 ? index + length : index;
}
