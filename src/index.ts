/** Binnacle as a library: a server inside your process. */
export { type RunningServer, startServer as createServer } from './server.ts';
export type { ServerOptions } from './config/options.ts';
