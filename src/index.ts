/** Binnacle as a library: a server inside your process. */

export type { ServerOptions } from './options/options.ts';
export {
  type RunningServer,
  type ServerEnvironment,
  startServer as createServer,
} from './server.ts';
