import { describeOperation, type Operation, type Version } from './operation.ts';

type State = Version | undefined;

/** An invocation or an answer, in a doubly linked list by time. */
interface Moment {
  readonly operation: number;
  /** The answer to this invocation; undefined if this is an answer. */
  readonly answer: Moment | undefined;
  previous: Moment | undefined;
  next: Moment | undefined;
}

/** The search gives up after this many steps, which no history of the tests comes near. */
const MAXIMUM_STEPS = 5_000_000;

/**
 * Checks the operations of each key: they must have an order that respects their times and in which each has the
 * outcome that it would have alone (Wing and Gong's search with the memory of Lowe, as in porcupine).
 * @returns a description of the first key whose operations have none; undefined if all have
 */
export function findNonLinearizable(operations: readonly Operation[]): string | undefined {
  for (const key of new Set(operations.map((operation) => operation.key))) {
    const problem = checkKey(operations.filter((operation) => operation.key === key));
    if (problem !== undefined) return `the operations on ${key} are not linearizable: ${problem}`;
  }
  return undefined;
}

function checkKey(all: readonly Operation[]): string | undefined {
  // A read whose answer is lost tells nothing.
  const operations = all.filter(
    ({ request, outcome }) => request.kind !== 'read' || outcome.kind !== 'unknown',
  );
  const revisions = observedRevisions(operations);
  // Most writes without an answer that nobody has seen were not carried out: without them the search is short.
  const seen = operations.filter(
    ({ request, outcome }) =>
      outcome.kind !== 'unknown' || ('value' in request && revisions.has(request.value)),
  );
  const problem = search(seen, revisions);
  return problem === undefined || seen.length === operations.length ? problem : search(operations, revisions);
}

interface Step {
  readonly moment: Moment;
  readonly before: State;
  /** Whether another operation may come here instead. */
  readonly branches: boolean;
}

function search(
  operations: readonly Operation[],
  revisions: ReadonlyMap<string, number>,
): string | undefined {
  const head: Moment = { operation: -1, answer: undefined, previous: undefined, next: undefined };
  link(head, operations);
  let left = operations.filter(({ outcome }) => outcome.kind !== 'unknown').length;
  const taken = new Uint8Array(operations.length);
  const visited = new Set<string>();
  const stack: Step[] = [];
  const inTurn = writesInTurn(operations, revisions);
  let [state, moment]: [State, Moment | undefined] = [undefined, head.next];
  let longest: { readonly length: number; readonly blocked: number } = { length: -1, blocked: -1 };
  for (let steps = 0; left > 0; steps += 1) {
    if (steps > MAXIMUM_STEPS) return `no order was found in ${MAXIMUM_STEPS} steps`;
    if (moment?.answer !== undefined) {
      const operation = operations[moment.operation]!;
      const result: Result = inTurn.may(moment.operation) ? apply(state, operation, revisions) : NO;
      // What changes nothing is best carried out at once.
      const branches = result.fits && result.state !== state;
      if (result.fits && (!branches || isNew(moment.operation, result.state))) {
        stack.push({ moment, before: state, branches });
        state = result.state;
        taken[moment.operation] = 1;
        inTurn.take(moment.operation);
        if (operation.outcome.kind !== 'unknown') left -= 1;
        lift(moment);
        moment = head.next;
      } else moment = moment.next;
      continue;
    }
    // An operation must come before its answer, but none of those that began before fits.
    if (moment !== undefined && stack.length > longest.length)
      longest = { length: stack.length, blocked: moment.operation };
    let last: Step | undefined;
    do {
      last = stack.pop();
      if (last === undefined) {
        const blocked = operations[longest.blocked];
        return `${longest.length} of ${operations.length} fit, then not ${blocked && describeOperation(blocked)}`;
      }
      unlift(last.moment);
      taken[last.moment.operation] = 0;
      inTurn.giveBack(last.moment.operation);
      if (operations[last.moment.operation]!.outcome.kind !== 'unknown') left += 1;
    } while (!last.branches);
    state = last.before;
    moment = last.moment.next;
  }
  return undefined;

  function isNew(operation: number, next: State): boolean {
    taken[operation] = 1;
    const key = `${next?.revision ?? ''} ${next?.value ?? ''} ${Buffer.from(taken).toString('latin1')}`;
    taken[operation] = 0;
    const fresh = !visited.has(key);
    visited.add(key);
    return fresh;
  }
}

/** Lets the writes whose revisions are known happen in the order of these only. */
function writesInTurn(operations: readonly Operation[], revisions: ReadonlyMap<string, number>) {
  const known = operations
    .map((operation, index) => ({ index, revision: revisionOf(operation, revisions) }))
    .filter(({ revision }) => revision !== undefined)
    .sort((a, b) => a.revision! - b.revision!);
  const turns = new Map(known.map(({ index }, turn) => [index, turn]));
  let next = 0;
  return {
    may: (operation: number): boolean => (turns.get(operation) ?? next) === next,
    take(operation: number): void {
      if (turns.has(operation)) next += 1;
    },
    giveBack(operation: number): void {
      if (turns.has(operation)) next -= 1;
    },
  };
}

function revisionOf(
  { request, outcome }: Operation,
  revisions: ReadonlyMap<string, number>,
): number | undefined {
  if (request.kind === 'read' || outcome.kind === 'refused') return undefined;
  const given = outcome.kind === 'done' ? outcome.revision : undefined;
  return given ?? ('value' in request ? revisions.get(request.value) : undefined);
}

/** The revision of each value that somebody has seen: a write whose answer was lost gets its revision from it. */
function observedRevisions(operations: readonly Operation[]): Map<string, number> {
  const revisions = new Map<string, number>();
  for (const { outcome } of operations)
    if (outcome.kind === 'done' && outcome.version !== undefined)
      revisions.set(outcome.version.value, outcome.version.revision);
  return revisions;
}

type Result = { readonly fits: true; readonly state: State } | { readonly fits: false };
const NO: Result = { fits: false };

/** Carries an operation out alone; says whether its outcome is the one that was seen. */
function apply(state: State, operation: Operation, revisions: ReadonlyMap<string, number>): Result {
  const { request, outcome } = operation;
  if (request.kind === 'read') {
    const read = outcome.kind === 'done' ? outcome.version : undefined;
    return read?.revision === state?.revision && read?.value === state?.value ? { fits: true, state } : NO;
  }
  const allowed =
    request.kind === 'create'
      ? state === undefined
      : state !== undefined && (request.expected === undefined || request.expected === state.revision);
  if (outcome.kind === 'refused') return allowed ? NO : { fits: true, state };
  if (!allowed) return NO;
  const known = revisionOf(operation, revisions);
  if (request.kind === 'delete')
    return known !== undefined && known <= state!.revision ? NO : { fits: true, state: undefined };
  // A write that nobody has seen has no known revision, and nothing depends on it: it gets one of its own.
  const revision = known ?? (state?.revision ?? 0) + 0.001;
  return state !== undefined && revision <= state.revision
    ? NO
    : { fits: true, state: { revision, value: request.value } };
}

function link(head: Moment, operations: readonly Operation[]): void {
  const moments = operations.flatMap(({ invoked, returned, outcome }, operation) => {
    const answer: Moment = { operation, answer: undefined, previous: undefined, next: undefined };
    const call: Moment = { operation, answer, previous: undefined, next: undefined };
    return [
      { time: invoked, order: 0, moment: call },
      { time: outcome.kind === 'unknown' ? Number.POSITIVE_INFINITY : returned, order: 1, moment: answer },
    ];
  });
  moments.sort((a, b) => (a.time === b.time ? a.order - b.order : a.time - b.time));
  let last = head;
  for (const { moment } of moments) {
    last.next = moment;
    moment.previous = last;
    last = moment;
  }
}

function lift(call: Moment): void {
  for (const moment of [call, call.answer!]) {
    moment.previous!.next = moment.next;
    if (moment.next !== undefined) moment.next.previous = moment.previous;
  }
}

function unlift(call: Moment): void {
  for (const moment of [call.answer!, call]) {
    moment.previous!.next = moment;
    if (moment.next !== undefined) moment.next.previous = moment;
  }
}
