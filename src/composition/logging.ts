import { createLogger, type Logger, type LogVerbosity } from '../observability/log.ts';
import { bufferedWriter } from '../observability/log-buffer.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import { processClock } from '../time/clock.ts';

export type LoggingOptions = OptionSlice<
  | 'logFlushFrequency'
  | 'loggingFormat'
  | 'logJsonInfoBufferSize'
  | 'logJsonSplitStream'
  | 'logTextInfoBufferSize'
  | 'logTextSplitStream'
  | 'v'
  | 'vmodule'
>;

/** The log of a server. */
export interface ServerLog {
  readonly logger: Logger;
  /** May be changed while the server runs. */
  readonly verbosity: LogVerbosity;
  /** Writes what is buffered, and stops buffering. */
  close(): void;
}

/** Creates the log that the flags configure. @param write receives all lines, instead of the standard streams */
export function openLog(values: LoggingOptions, write: ((line: string) => void) | undefined): ServerLog {
  const isJson = values.loggingFormat === 'json';
  const verbosity: LogVerbosity = { verbosity: values.v, components: values.vmodule.map(componentVerbosity) };
  const splits = isJson ? values.logJsonSplitStream : values.logTextSplitStream;
  const base = { format: isJson ? 'json' : 'text', verbosity } as const;
  if (write !== undefined || !splits) {
    return {
      logger: createLogger({ ...base, ...(write && { write }) }),
      verbosity,
      close: () => undefined,
    };
  }
  const size = isJson ? values.logJsonInfoBufferSize : values.logTextInfoBufferSize;
  const information = bufferedWriter({
    size,
    interval: values.logFlushFrequency,
    clock: processClock,
    write: (text) => process.stdout.write(text),
  });
  return {
    logger: createLogger({ ...base, writeInformation: information.write }),
    verbosity,
    close: information.close,
  };
}

/** `pattern=N` */
function componentVerbosity(text: string): { readonly pattern: string; readonly verbosity: number } {
  const equals = text.lastIndexOf('=');
  return { pattern: text.slice(0, equals), verbosity: Number(text.slice(equals + 1)) };
}
