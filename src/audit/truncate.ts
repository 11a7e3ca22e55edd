import type { MaybePromise } from '../steps/steps.ts';
import type { AuditBackend, ReportLoss } from './backend.ts';
import { type AuditEvent, eventJson } from './event.ts';

export const TRUNCATED_ANNOTATION = 'audit.k8s.io/truncated';

export interface TruncateOptions {
  readonly maximumEventBytes: number;
  readonly maximumBatchBytes: number;
}

/**
 * Removes the bodies of oversized events, drops events that are still too large, and splits oversized
 * batches.
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
        const fitting = truncated(event, maximumEventBytes);
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
      return processInOrder(
        backend,
        batches.filter(({ length }) => length > 0),
        true,
      );
    },
    close: () => backend.close(),
  };
}

function processInOrder(
  backend: AuditBackend,
  [first, ...rest]: AuditEvent[][],
  before: boolean,
): MaybePromise<boolean> {
  if (first === undefined) return before;
  const result = backend.process(first);
  return result instanceof Promise
    ? result.then((accepted) => processInOrder(backend, rest, before && accepted))
    : processInOrder(backend, rest, before && result);
}

function truncated(event: AuditEvent, maximum: number): { event: AuditEvent; bytes: number } | undefined {
  const bytes = sizeOf(event);
  if (bytes <= maximum) return { event, bytes };
  const annotations = new Map(event.annotations).set(TRUNCATED_ANNOTATION, 'true');
  const short: AuditEvent = { ...event, requestObject: undefined, responseObject: undefined, annotations };
  const shortBytes = sizeOf(short);
  return shortBytes <= maximum ? { event: short, bytes: shortBytes } : undefined;
}

const sizeOf = (event: AuditEvent): number => Buffer.byteLength(eventJson(event, true));
