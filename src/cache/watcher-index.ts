import type { CacheEvent, CacheRecord } from './record.ts';
import type { RecordQuery } from './record-query.ts';
import type { Watcher } from './watcher.ts';

/** The watchers of one scope: an event concerns those without a query, and those that ask for a value of its records. */
class ScopeWatchers {
  readonly #all = new Set<Watcher>();
  readonly #byQuery = new Map<string, QueryWatchers>();

  add(watcher: Watcher): void {
    const { query } = watcher.scope;
    if (query === undefined) {
      this.#all.add(watcher);
      return;
    }
    let watchers = this.#byQuery.get(query.name);
    if (watchers === undefined) {
      watchers = new QueryWatchers(query.read);
      this.#byQuery.set(query.name, watchers);
    }
    watchers.add(query.value, watcher);
  }

  remove(watcher: Watcher): boolean {
    const { query } = watcher.scope;
    if (query === undefined) return this.#all.delete(watcher);
    const watchers = this.#byQuery.get(query.name);
    const removed = watchers?.remove(query.value, watcher) ?? false;
    if (watchers?.isEmpty === true) this.#byQuery.delete(query.name);
    return removed;
  }

  get isEmpty(): boolean {
    return this.#all.size === 0 && this.#byQuery.size === 0;
  }

  collect(event: CacheEvent, found: Watcher[]): void {
    for (const watcher of this.#all) found.push(watcher);
    for (const watchers of this.#byQuery.values()) watchers.collect(event, found);
  }

  *[Symbol.iterator](): Iterator<Watcher> {
    yield* this.#all;
    for (const watchers of this.#byQuery.values()) yield* watchers;
  }
}

/** The watchers with queries of one name, by the value that they ask for. */
class QueryWatchers {
  readonly #byValue = new Map<string, Set<Watcher>>();

  constructor(private readonly read: RecordQuery['read']) {}

  add(value: string, watcher: Watcher): void {
    const set = this.#byValue.get(value);
    if (set === undefined) this.#byValue.set(value, new Set([watcher]));
    else set.add(watcher);
  }

  remove(value: string, watcher: Watcher): boolean {
    const set = this.#byValue.get(value);
    if (set?.delete(watcher) !== true) return false;
    if (set.size === 0) this.#byValue.delete(value);
    return true;
  }

  get isEmpty(): boolean {
    return this.#byValue.size === 0;
  }

  /** Adds the watchers of the object's value before and after a change. */
  collect({ current, previous }: CacheEvent, found: Watcher[]): void {
    let now: string | undefined;
    let before: string | undefined;
    try {
      now = this.#valueOf(current);
      before = this.#valueOf(previous);
    } catch {
      // Each watch ends with the error of the record.
      for (const watcher of this) found.push(watcher);
      return;
    }
    this.#collectValue(now, found);
    if (before !== now) this.#collectValue(before, found);
  }

  *[Symbol.iterator](): Iterator<Watcher> {
    for (const set of this.#byValue.values()) yield* set;
  }

  #valueOf(record: CacheRecord | undefined): string | undefined {
    return record === undefined ? undefined : this.read(record);
  }

  #collectValue(value: string | undefined, found: Watcher[]): void {
    if (value === undefined) return;
    for (const watcher of this.#byValue.get(value) ?? []) found.push(watcher);
  }
}

/** Index of watchers by scope and query, so that an event is matched only against the watchers that it may concern. */
export class WatcherIndex {
  readonly #byScope = new Map<string, ScopeWatchers>();
  size = 0;

  add(watcher: Watcher): void {
    const scope = watcher.scope.key ?? watcher.scope.prefix;
    let watchers = this.#byScope.get(scope);
    if (watchers === undefined) {
      watchers = new ScopeWatchers();
      this.#byScope.set(scope, watchers);
    }
    watchers.add(watcher);
    this.size += 1;
  }

  remove(watcher: Watcher): void {
    const scope = watcher.scope.key ?? watcher.scope.prefix;
    const watchers = this.#byScope.get(scope);
    if (watchers?.remove(watcher) !== true) return;
    this.size -= 1;
    if (watchers.isEmpty) this.#byScope.delete(scope);
  }

  /** Watchers that an event may concern: of the object, its namespace, and everything below `root`. */
  forEvent(event: CacheEvent, root: string): Watcher[] {
    const found: Watcher[] = [];
    this.#byScope.get(root)?.collect(event, found);
    const slash = event.key.indexOf('/', root.length);
    if (slash > 0) this.#byScope.get(event.key.slice(0, slash + 1))?.collect(event, found);
    this.#byScope.get(event.key)?.collect(event, found);
    return found;
  }

  /** Whether a watch that encodes objects of more than one name has one of these prefixes. */
  hasCollectionWatch(...prefixes: readonly string[]): boolean {
    for (const prefix of prefixes)
      for (const { scope } of this.#byScope.get(prefix) ?? [])
        if (scope.oneName !== true && scope.encodes !== false) return true;
    return false;
  }

  all(): Watcher[] {
    return [...this.#byScope.values()].flatMap((watchers) => [...watchers]);
  }
}
