import type { ServerOptions } from '../options/options.ts';
import type { ReadyLine } from '../start-contract/ready-line.ts';

/** The part of a running server that the command line uses. */
export interface StoppableServer {
  readonly url: string;
  readonly port: number;
  /** Undefined when objects are kept in memory. */
  readonly dataDirectory: string | undefined;
  /** Undefined when none was written. */
  readonly kubeconfigFile: string | undefined;
  /** Content of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  readonly readyLine: ReadyLine;
  /** Drains and stops. */
  stop(reason: string): Promise<void>;
  /** Resolves when the server has stopped; rejects when a failure stopped it. */
  readonly closed: Promise<void>;
}

/** Commands with arguments of their own. They are loaded only when they run. */
export const SEPARATE_COMMANDS = [
  'cel',
  'compact',
  'doctor',
  'envtest',
  'fsck',
  'migrate',
  'policy',
  'restore',
  'versions',
] as const;
export type SeparateCommand = (typeof SEPARATE_COMMANDS)[number];

/** A folder that ends with the process, for the files of an ephemeral server. */
export interface EphemeralFolder {
  /** Its path, once it exists. */
  readonly path: string | undefined;
  /** The path of a file in it. Creates the folder. @throws ConfigurationError */
  file(name: string): string;
  /** Removes the folders of servers that were killed. */
  removeAbandoned(): Promise<void>;
}

/** The environment of a command: the process, or a test. The parts of the server load only when they are used. */
export interface CommandEnvironment {
  out(text: string): void;
  error(text: string): void;
  /** Whether the standard error is a terminal. */
  readonly interactive: boolean;
  onSignal(listener: (signal: 'SIGINT' | 'SIGTERM') => void): void;
  /**
   * Calls `listener` once with a reason when the process that started this one has ended.
   * @throws ConfigurationError when that cannot be seen
   */
  onParentEnd(listener: (reason: string) => void): void;
  /**
   * Registers a listener for uncaught errors; `lasting` when the process must stop, as after an uncaught
   * exception.
   */
  onUncaughtError(listener: (error: unknown, fatal: boolean) => void): void;
  /** Calls `act` once after some milliseconds, without keeping the process alive. */
  after(milliseconds: number, act: () => void): void;
  /** Ends the process at once. */
  exit(code: number): void;
  readonly ephemeralFolder: EphemeralFolder;
  start(options: ServerOptions): Promise<StoppableServer>;
  backup(dataDirectory: string, target: string): Promise<void>;
  /** Runs a command with these words, which follow its name, and returns the exit code. */
  runSeparate(command: SeparateCommand, words: readonly string[]): Promise<number>;
}
