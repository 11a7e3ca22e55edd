import { isWrite, type Operation, type Version } from './operation.ts';

/** An event as a watcher has seen it. */
export interface SeenEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly key: string;
  readonly revision: number;
  /** The value written, or the last one before the deletion. */
  readonly value: string;
}

/** What a watcher has seen, from a known state on; `resumed` watches count as one watcher. */
export interface WatchHistory {
  readonly name: string;
  readonly initial: ReadonlyMap<string, Version>;
  /** The revision of the initial state. */
  readonly from: number;
  readonly events: readonly SeenEvent[];
}

/** A list: all keys at a revision. */
export interface SeenState {
  readonly revision: number;
  readonly versions: ReadonlyMap<string, Version>;
}

/**
 * Checks what watchers have seen: every acknowledged write once and in order, nothing that nobody wrote, the same
 * as each other, and, up to the revision of a list, exactly its content.
 * @returns a description of the first problem; undefined if there is none
 */
export function findWatchProblem(
  histories: readonly WatchHistory[],
  operations: readonly Operation[],
  final: SeenState,
): string | undefined {
  for (const history of histories) {
    const problem = checkOrder(history) ?? checkWrites(history, operations, final) ?? replay(history, final);
    if (problem !== undefined) return `${history.name}: ${problem}`;
  }
  return findDifference(histories, final);
}

function checkOrder({ events, from }: WatchHistory): string | undefined {
  let last = from;
  for (const { revision, key } of events) {
    if (revision <= last) return `${key} at revision ${revision} comes after revision ${last}`;
    last = revision;
  }
  return undefined;
}

function checkWrites(
  { events, from }: WatchHistory,
  operations: readonly Operation[],
  final: SeenState,
): string | undefined {
  const seen = new Map(events.map((event) => [event.revision, event]));
  const possible = new Set<string>();
  for (const operation of operations.filter(isWrite)) {
    const { key, request, outcome } = operation;
    const value = request.kind === 'create' || request.kind === 'update' ? request.value : undefined;
    if (outcome.kind !== 'refused') possible.add(`${key} ${value ?? 'deleted'}`);
    if (outcome.kind !== 'done' || outcome.revision === undefined) continue;
    if (outcome.revision <= from || outcome.revision > final.revision) continue;
    const event = seen.get(outcome.revision);
    if (event === undefined) return `the write of ${key} at revision ${outcome.revision} is missing`;
    if (event.key !== key || (event.type === 'DELETED') !== (value === undefined))
      return `revision ${outcome.revision} is ${event.type} of ${event.key}, but ${request.kind} of ${key}`;
    if (value !== undefined && event.value !== value)
      return `revision ${outcome.revision} of ${key} has the value ${event.value}, not ${value}`;
  }
  const unwritten = events.find(
    ({ type, key, value }) => !possible.has(`${key} ${type === 'DELETED' ? 'deleted' : value}`),
  );
  return unwritten && `nobody wrote ${unwritten.value} of ${unwritten.key} (revision ${unwritten.revision})`;
}

function replay({ events, initial }: WatchHistory, final: SeenState): string | undefined {
  const state = new Map(initial);
  for (const { type, key, revision, value } of events) {
    if (revision > final.revision) break;
    const before = state.get(key);
    if ((type === 'ADDED') !== (before === undefined))
      return `${type} of ${key} at revision ${revision}, which ${before === undefined ? 'is absent' : 'exists'}`;
    if (type === 'DELETED' && before!.value !== value)
      return `the deletion of ${key} at revision ${revision} shows ${value} instead of ${before!.value}`;
    if (type === 'DELETED') state.delete(key);
    else state.set(key, { revision, value });
  }
  for (const key of new Set([...state.keys(), ...final.versions.keys()])) {
    const [seen, listed] = [state.get(key), final.versions.get(key)];
    if (seen?.revision !== listed?.revision || seen?.value !== listed?.value)
      return `${key} is ${JSON.stringify(seen)} after all events, but listed as ${JSON.stringify(listed)}`;
  }
  return undefined;
}

/** Compares what watchers have seen in the time that all of them watched. */
function findDifference(histories: readonly WatchHistory[], final: SeenState): string | undefined {
  const from = Math.max(...histories.map((history) => history.from));
  const texts = histories.map(({ events }) =>
    events
      .filter(({ revision }) => revision > from && revision <= final.revision)
      .map(({ type, key, revision, value }) => `${revision} ${type} ${key} ${value}`),
  );
  for (const [index, text] of texts.entries())
    for (let at = 0; at < Math.max(text.length, texts[0]!.length); at += 1)
      if (text[at] !== texts[0]![at])
        return `${histories[0]!.name} saw ${texts[0]![at]}, ${histories[index]!.name} saw ${text[at]}`;
  return undefined;
}
