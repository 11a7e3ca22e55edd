import { randomBytes } from 'node:crypto';
import { processClock } from '../time/clock.ts';

/** Values of a span's attributes by name. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** `client`: a call to another server; `server`: a received request; `internal`: a step inside the process. */
export type SpanKind = 'internal' | 'server' | 'client';

/** What the spans of one exported trace share. */
export interface TraceIdentity {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The caller's trace and span, which the root span links to. */
  readonly link: { readonly traceId: string; readonly spanId: string } | undefined;
}

/** A moment within a span. */
export interface SpanEvent {
  readonly name: string;
  /** Monotonic milliseconds. */
  readonly at: number;
}

/** Children of one span; a request that repeats itself more often is not described further. */
const MAXIMUM_CHILDREN = 64;

/**
 * One timed step of a request. Requests always have spans, for the log of slow ones; they are exported only
 * if the request is sampled. Times are monotonic milliseconds.
 */
export class Span {
  readonly start: number;
  /** 0 until the span has ended. */
  end = 0;
  readonly children: Span[] = [];
  readonly events: SpanEvent[] = [];
  #id = '';

  constructor(
    readonly name: string,
    /** Undefined: the span is not exported. */
    readonly trace: TraceIdentity | undefined,
    readonly kind: SpanKind = 'internal',
    /** Creates the attributes when they are needed. */
    readonly attributes: () => SpanAttributes = noAttributes,
  ) {
    this.start = processClock.monotonic();
  }

  /** 16 hexadecimal digits. */
  get id(): string {
    if (this.#id === '') this.#id = randomBytes(8).toString('hex');
    return this.#id;
  }

  /** The header value with which a call to another server continues the trace; undefined if not sampled. */
  get traceparent(): string | undefined {
    return this.trace && `00-${this.trace.traceId}-${this.id}-01`;
  }

  /** Begins a step of this one. */
  child(name: string, kind: SpanKind = 'internal', attributes: () => SpanAttributes = noAttributes): Span {
    const child = new Span(name, this.trace, kind, attributes);
    if (this.children.length < MAXIMUM_CHILDREN) this.children.push(child);
    return child;
  }

  event(name: string): void {
    if (this.events.length < MAXIMUM_CHILDREN) this.events.push({ name, at: processClock.monotonic() });
  }

  /** Ends the span; later calls have no effect. */
  finish(): void {
    if (this.end === 0) this.end = processClock.monotonic();
  }
}

const NONE: SpanAttributes = {};
const noAttributes = (): SpanAttributes => NONE;

/** Runs a step within a span of its own. */
export function inSpan<Result>(
  parent: Span | undefined,
  name: string,
  run: (span: Span | undefined) => Result,
  kind?: SpanKind,
  attributes?: () => SpanAttributes,
): Result {
  const span = parent?.child(name, kind, attributes);
  let result: Result;
  try {
    result = run(span);
  } catch (error) {
    span?.finish();
    throw error;
  }
  if (!(result instanceof Promise)) {
    span?.finish();
    return result;
  }
  return result.finally(() => span?.finish()) as Result;
}

/**
 * Sends a request to another server within a span of its own.
 * @param url returns the URL of the request, for the attributes of the span
 * @param send is called with the headers that continue the trace
 */
export const inRequestSpan = <Result>(
  parent: Span | undefined,
  method: string,
  url: () => string,
  send: (headers: { readonly traceparent?: string }) => Result,
): Result =>
  inSpan(
    parent,
    `HTTP ${method}`,
    (span) => {
      const traceparent = span?.traceparent;
      return send(traceparent === undefined ? {} : { traceparent });
    },
    'client',
    () => ({ 'http.method': method, 'http.url': url() }),
  );

/** `2.5ms` → `2ms`, as kube-apiserver prints durations in the log of slow requests. */
const milliseconds = (duration: number): string => `${Math.floor(duration)}ms`;

/**
 * Describes where the time of a span went, in the form of kube-apiserver's log of slow requests, in one line.
 * Steps that took little of the threshold are left out.
 * @param origin wall-clock milliseconds at the monotonic time 0
 */
export function describeSpan(span: Span, threshold: number, origin: number, number: number): string {
  const head = `Trace[${number}]: "${span.name}" ${fieldsOf(span)}(${dateOf(origin + span.start)}) (total time: ${milliseconds(span.end - span.start)}):`;
  const { text, last } = stepsOf(span, threshold, origin);
  const total = `[${milliseconds(span.end - span.start)}] [${milliseconds(span.end - last)}] END`;
  return `${head}${text} ${total}`;
}

/** The steps of a span in order; `last` is when the last one ended. */
function stepsOf(span: Span, threshold: number, origin: number): { text: string; last: number } {
  const steps = [
    ...span.events.map((event) => ({ at: event.at, event, child: undefined })),
    ...span.children.map((child) => ({ at: child.end || span.end, event: undefined, child })),
  ].sort((left, right) => left.at - right.at);
  const shown = threshold / (steps.length + 1);
  let last = span.start;
  let text = '';
  for (const { at, event, child } of steps) {
    if (child !== undefined) {
      if (at - child.start >= shown)
        text += ` ["${child.name}" ${fieldsOf(child)}${milliseconds(at - child.start)} (${timeOf(origin + child.start)})${stepsOf(child, shown, origin).text}]`;
    } else if (at - last >= shown)
      text += ` ---"${event.name}" ${milliseconds(at - last)} (${timeOf(origin + at)})`;
    last = at;
  }
  return { text, last };
}

function fieldsOf({ attributes }: Span): string {
  const fields = Object.entries(attributes());
  return fields.length === 0 ? '' : `${fields.map(([name, value]) => `${name}:${value}`).join(',')} `;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number): string => String(value).padStart(2, '0');

function timeOf(wall: number): string {
  const date = new Date(wall);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

function dateOf(wall: number): string {
  const date = new Date(wall);
  return `${two(date.getDate())}-${MONTHS[date.getMonth()]}-${date.getFullYear()} ${timeOf(wall)}`;
}
