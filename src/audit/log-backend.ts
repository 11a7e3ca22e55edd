import type { AuditBackend, ReportLoss } from './backend.ts';
import { type AuditEvent, eventJson, legacyLine } from './event.ts';

export type LogFormat = 'json' | 'legacy';

/** A destination of log lines. `append` resolves once the text is written and rejects when that fails. */
export interface LineSink {
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Writes every event as one line. */
export function logBackend(sink: LineSink, format: LogFormat, report: ReportLoss): AuditBackend {
  const render = format === 'legacy' ? legacyLine : (event: AuditEvent) => eventJson(event, true);
  return {
    async process(events) {
      try {
        await sink.append(events.map((event) => `${render(event)}\n`).join(''));
        return true;
      } catch (error) {
        report('log', (error as Error).message, events.length);
        return false;
      }
    },
    close: () => sink.close(),
  };
}

/** A sink for standard output. Rejects lines while a slow reader leaves more than `maximumBytes` unread. */
export function streamSink(
  stream: NodeJS.WritableStream & { readonly writableLength: number },
  maximumBytes: number,
): LineSink {
  let failed: Error | undefined;
  stream.on('error', (error: Error) => {
    failed = error;
  });
  return {
    append(text) {
      if (failed !== undefined) return Promise.reject(failed);
      if (stream.writableLength > maximumBytes)
        return Promise.reject(new Error('the reader of the output is too slow'));
      return new Promise((resolve, reject) => {
        stream.write(text, (error) => (error ? reject(error) : resolve()));
      });
    },
    close: async () => undefined,
  };
}
