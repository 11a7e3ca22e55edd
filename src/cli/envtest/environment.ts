import type { Program } from './program.ts';

/** What the command needs of its process. */
export interface EnvtestEnvironment {
  readonly program: Program;
  /** `PATH`, in which kubectl is searched. */
  readonly path: string;
  readonly platform: NodeJS.Platform;
  readonly architecture: NodeJS.Architecture;
}
