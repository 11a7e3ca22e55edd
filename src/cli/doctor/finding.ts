import type { Release } from '../../model/scheme.ts';
import type { ServerOptions } from '../../options/options.ts';
import type { ProcessClock } from '../../time/clock.ts';

/**
 * How bad something is: `problem` keeps the server from starting or from serving what it has, `warning` will be
 * noticed later, `note` explains.
 */
export type Severity = 'ok' | 'note' | 'warning' | 'problem';

/** What a check has found. */
export interface Finding {
  /** The area, one word. */
  readonly check: string;
  readonly severity: Severity;
  /** One line. */
  readonly found: string;
  /** What to do about it, one line. */
  readonly advice?: string;
}

/** The end of a program that was run. */
export interface ProgramResult {
  /** Undefined when there is no such program, or when it was ended because it was slow. */
  readonly code: number | undefined;
  readonly out: string;
}

/** What the checks look at. */
export interface Patient {
  /** The flags, as the server would get them. */
  readonly options: ServerOptions;
  /** The release that the server would have: the default one if the flags name none that there is. */
  readonly release: Release;
  readonly dataDirectory: string;
  readonly temporaryDirectory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Pick<ProcessClock, 'now' | 'monotonic' | 'after'>;
  /** Runs a program to its end, for some seconds at most. */
  run(program: string, ...words: readonly string[]): Promise<ProgramResult>;
}

/** Looks at one area. It changes nothing that it finds, and does not throw. */
export type Check = (patient: Patient) => readonly Finding[] | Promise<readonly Finding[]>;

export const finding = (check: string, severity: Severity, found: string, advice?: string): Finding => ({
  check,
  severity,
  found,
  ...(advice === undefined ? {} : { advice }),
});

/** A message of the form `what: why: what to do` as a finding: errors of the start have it. */
export function findingOf(check: string, severity: Severity, error: unknown): Finding {
  const message = (error instanceof Error ? error.message : String(error)).replaceAll('\n', ' ');
  const colon = message.lastIndexOf(': ');
  return colon < 0
    ? finding(check, severity, message)
    : finding(check, severity, message.slice(0, colon), message.slice(colon + 2));
}
