/** Binnacle as a library: a server inside your process. */

export { BinnacleError, type ErrorCode } from './errors/binnacle-error.ts';
export type { ServerOptions } from './options/options.ts';
export {
  type RunningServer,
  type ServerEnvironment,
  startServer as createServer,
} from './server.ts';
