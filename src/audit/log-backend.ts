import type { AuditBackend, ReportLoss } from './backend.ts';
import { type AuditEvent, eventJson, legacyLine } from './event.ts';

export type LogFormat = 'json' | 'legacy';

/** Where lines go. `append` resolves once they are written, and rejects when they could not be. */
export interface LineSink {
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Writes every event as a line. */
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

/** The standard output, which may be a pipe that nobody empties: what does not fit is refused. */
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
        return Promise.reject(new Error('the reader of the output does not keep up'));
      return new Promise((resolve, reject) => {
        stream.write(text, (error) => (error ? reject(error) : resolve()));
      });
    },
    close: async () => undefined,
  };
}
