import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CacheEvent, CacheRecord, type EventType } from '../../src/cache/record.ts';
import { Watcher, type WatchScope, type WatchSink } from '../../src/cache/watcher.ts';
import { WatcherIndex } from '../../src/cache/watcher-index.ts';
import { plainReader } from './support.ts';

const ROOT = '/r/';
const textOf = ({ value }: CacheRecord): string => value.toString();
/** The text of a record; an error for `x`. */
const readText = (record: CacheRecord): string | undefined => {
  const text = textOf(record);
  if (text === 'x') throw new Error('not readable');
  return text === '' ? undefined : text;
};

/** Selects by name and text, if it has them, and notes what it is given. */
class SelectingSink implements WatchSink {
  readonly seen: string[] = [];
  constructor(
    private readonly name: string | undefined,
    private readonly text: string | undefined,
  ) {}
  matches(record: CacheRecord): boolean {
    if (this.name !== undefined && record.name !== this.name) return false;
    return this.text === undefined || readText(record) === this.text;
  }
  deliver(type: EventType, record: CacheRecord, revision: number): boolean {
    this.seen.push(`${type} ${record.key} ${textOf(record)} ${revision}`);
    return true;
  }
  drained = async (): Promise<void> => undefined;
  end(): void {}
}

const NAMES = ['a', 'b', 'c'];
const NAMESPACES = ['m', 'n'];
const TEXTS = ['', '1', '2', '3'];
const selection = fc.record({
  namespace: fc.constantFrom('', ...NAMESPACES),
  name: fc.option(fc.constantFrom(...NAMES), { nil: undefined }),
  text: fc.option(fc.constantFrom(...TEXTS.slice(1)), { nil: undefined }),
});
type Selected = typeof selection extends fc.Arbitrary<infer T> ? T : never;

const byText = (value: string) => ({ name: 'text', value, read: readText });
const byName = (value: string) => ({ name: 'name', value, read: ({ name }: CacheRecord) => name });

function scopeOf({ namespace, name, text }: Selected): WatchScope {
  const prefix = namespace === '' ? ROOT : `${ROOT}${namespace}/`;
  const query = text === undefined ? undefined : byText(text);
  if (name === undefined) return { prefix, query };
  return namespace === '' ? { prefix, query: byName(name) } : { prefix, query, key: prefix + name };
}

const edit = fc.record({
  key: fc
    .tuple(fc.constantFrom(...NAMESPACES), fc.constantFrom(...NAMES))
    .map(([namespace, name]) => `${ROOT}${namespace}/${name}`),
  // `undefined` removes the object.
  text: fc.option(fc.constantFrom(...TEXTS), { nil: undefined }),
});
const step = fc.oneof(
  edit.map((change) => ({ change })),
  selection.map((opened) => ({ opened })),
  fc.nat(20).map((closed) => ({ closed })),
);

/** The events of edits, in order. */
class Objects {
  readonly #records = new Map<string, CacheRecord>();
  revision = 1;

  change(key: string, text: string | undefined): CacheEvent | undefined {
    const previous = this.#records.get(key);
    if (previous === undefined && text === undefined) return undefined;
    this.revision += 1;
    const current =
      text === undefined ? undefined : new CacheRecord(key, this.revision, Buffer.from(text), plainReader);
    if (current === undefined) this.#records.delete(key);
    else this.#records.set(key, current);
    return new CacheEvent(this.revision, key, current, previous);
  }
}

it('delivers what matching each event against all watches delivers', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const index = new WatcherIndex();
      const objects = new Objects();
      const open: { indexed: Watcher; scanned: Watcher; sinks: [SelectingSink, SelectingSink] }[] = [];
      const begin = (opened: Selected) => {
        const sinks = [0, 1].map(() => new SelectingSink(opened.name, opened.text));
        const [indexed, scanned] = sinks.map((sink) => new Watcher(scopeOf(opened), sink, objects.revision));
        index.add(indexed!);
        open.push({ indexed: indexed!, scanned: scanned!, sinks: sinks as [SelectingSink, SelectingSink] });
      };
      for (const one of steps) {
        if ('opened' in one) begin(one.opened);
        else if ('closed' in one) for (const { indexed } of open.splice(one.closed, 1)) index.remove(indexed);
        else {
          const event = objects.change(one.change.key, one.change.text);
          if (event === undefined) continue;
          const found = index.forEvent(event, ROOT);
          expect(new Set(found).size).toBe(found.length);
          for (const watcher of found) watcher.deliver(event);
          for (const { scanned } of open) scanned.deliver(event);
        }
        for (const { sinks } of open) expect(sinks[0].seen).toEqual(sinks[1].seen);
      }
      expect(index.size).toBe(open.length);
      expect(index.all().length).toBe(open.length);
    }),
  );
});

it('finds only the watches of the values before and after a change', () => {
  const index = new WatcherIndex();
  const watchers = Array.from({ length: 100 }, (_, at) => {
    const watcher = new Watcher({ prefix: ROOT, query: byText(String(at)) }, new SelectingSink('', ''), 1);
    index.add(watcher);
    return watcher;
  });
  const [before, after] = ['7', '8'].map(
    (text) => new CacheRecord(`${ROOT}n/a`, 1, Buffer.from(text), plainReader),
  );
  expect(index.forEvent(new CacheEvent(2, before!.key, after, before), ROOT)).toEqual([
    watchers[8],
    watchers[7],
  ]);
  expect(index.forEvent(new CacheEvent(3, before!.key, after, after), ROOT)).toEqual([watchers[8]]);
});

it('finds all watches by a text for a record that cannot be read, so that each reports it', () => {
  const index = new WatcherIndex();
  for (const text of ['1', '2'])
    index.add(new Watcher({ prefix: ROOT, query: byText(text) }, new SelectingSink('', text), 1));
  index.add(new Watcher({ prefix: ROOT, query: byName('b') }, new SelectingSink('b', undefined), 1));
  const record = new CacheRecord(`${ROOT}n/a`, 2, Buffer.from('x'), plainReader);
  expect(index.forEvent(new CacheEvent(2, record.key, record, undefined), ROOT)).toHaveLength(2);
});
