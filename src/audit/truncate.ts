import type { MaybePromise } from '../request/context.ts';
import type { AuditBackend, ReportLoss } from './backend.ts';
import { type AuditEvent, eventJson } from './event.ts';

export const TRUNCATED_ANNOTATION = 'audit.k8s.io/truncated';

export interface TruncateOptions {
  readonly maximumEventBytes: number;
  readonly maximumBatchBytes: number;
}

/**
 * Takes the bodies from events that are too large, drops those that still are, and splits what is too large
 * for one batch.
 */
export function truncateEvents(
  backend: AuditBackend,
  { maximumEventBytes, maximumBatchBytes }: TruncateOptions,
  report: ReportLoss,
): AuditBackend {
  return {
    process(events) {
      const batches: AuditEvent[][] = [[]];
      let bytes = 0;
      for (const event of events) {
        const fitting = shortened(event, maximumEventBytes);
        if (fitting === undefined) {
          report('truncate', 'event is too large', 1);
          continue;
        }
        if (bytes + fitting.bytes > maximumBatchBytes && batches.at(-1)!.length > 0) {
          batches.push([]);
          bytes = 0;
        }
        batches.at(-1)!.push(fitting.event);
        bytes += fitting.bytes;
      }
      return inOrder(
        backend,
        batches.filter(({ length }) => length > 0),
        true,
      );
    },
    close: () => backend.close(),
  };
}

function inOrder(
  backend: AuditBackend,
  [first, ...rest]: AuditEvent[][],
  before: boolean,
): MaybePromise<boolean> {
  if (first === undefined) return before;
  const result = backend.process(first);
  return result instanceof Promise
    ? result.then((taken) => inOrder(backend, rest, before && taken))
    : inOrder(backend, rest, before && result);
}

function shortened(event: AuditEvent, maximum: number): { event: AuditEvent; bytes: number } | undefined {
  const bytes = sizeOf(event);
  if (bytes <= maximum) return { event, bytes };
  const annotations = new Map(event.annotations).set(TRUNCATED_ANNOTATION, 'true');
  const short: AuditEvent = { ...event, requestObject: undefined, responseObject: undefined, annotations };
  const shortBytes = sizeOf(short);
  return shortBytes <= maximum ? { event: short, bytes: shortBytes } : undefined;
}

const sizeOf = (event: AuditEvent): number => Buffer.byteLength(eventJson(event, true));
