import { ConfigurationError } from '../errors/configuration-error.ts';
import { createLogger } from '../observability/log.ts';
import type { CommandEnvironment, StoppableServer } from './environment.ts';
import { reportFailure } from './failure.ts';
import type { CommandLine } from './parse-command-line.ts';
import { planStart } from './start-plan.ts';

/**
 * An ephemeral server has ended by then, whatever it is doing, in milliseconds after the first signal: one second for
 * the requests in flight, and time for the rest. Longer if the flags ask for a slow stop.
 */
const EPHEMERAL_STOP_MILLISECONDS = 1500;

/** Runs a server until it is stopped, and returns the exit code. @throws ConfigurationError, and errors of the start */
export async function serve(commandLine: CommandLine, environment: CommandEnvironment): Promise<number> {
  const { options, warnings } = commandLine;
  for (const warning of warnings) environment.error(`${warning}\n`);
  let running: StoppableServer | undefined;
  let stopping = false;
  let failed = false;
  const logger = createLogger({
    format: options.loggingFormat === 'json' ? 'json' : 'text',
    verbosity: 0,
    write: environment.error,
  });
  const stop = (server: StoppableServer, reason: string): void => {
    stopping = true;
    if (options.ephemeral)
      environment.after(stopLimit(options), () => {
        logger.warn('requests are still in flight; ending without them');
        environment.exit(failed ? 1 : 0);
      });
    // A failure to stop rejects `closed`, which is awaited below.
    server.stop(reason).catch(() => {});
  };
  environment.onUncaughtError((error, fatal) => {
    if (running === undefined && fatal) {
      reportFailure(error, environment);
      return environment.exit(1);
    }
    logger.error(fatal ? 'uncaught exception; stopping' : 'unhandled rejection; continuing', {
      err: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    if (!fatal) return;
    failed = true;
    stop(running!, 'uncaught exception');
  });
  environment.onSignal((signal) => {
    if (stopping || running === undefined) return environment.exit(signal === 'SIGINT' ? 130 : 1);
    stop(running, signal);
  });
  const plan = planStart(options, environment.ephemeralFolder);
  if (plan.followsParent)
    environment.onParentEnd((reason) => {
      if (stopping) return;
      if (running !== undefined) return stop(running, reason);
      reportFailure(`${reason} before the server was ready`, environment);
      environment.exit(1);
    });
  try {
    running = await environment.start(plan.options);
  } catch (error) {
    throw explainFolder(error, environment.ephemeralFolder.path);
  }
  const { out, error } = plan.announce(running);
  if (error !== '') environment.error(error);
  environment.out(out);
  if (options.ephemeral) void environment.ephemeralFolder.removeAbandoned();
  try {
    await running.closed;
    if (!stopping) throw new Error('the server stopped unexpectedly');
  } catch (error) {
    if (environment.interactive) return reportFailure(error, environment);
    logger.error('command failed', { err: error instanceof Error ? error.message : String(error) });
    return 1;
  }
  return failed ? 1 : 0;
}

const stopLimit = ({
  shutdownDelayDuration = 0,
  shutdownWatchTerminationGracePeriod = 0,
}: CommandLine['options']): number =>
  EPHEMERAL_STOP_MILLISECONDS + shutdownDelayDuration + shutdownWatchTerminationGracePeriod;

/** Says what to do about a temporary folder that cannot be used. */
function explainFolder(error: unknown, folder: string | undefined): unknown {
  if (!(error instanceof ConfigurationError) || folder === undefined || !error.message.includes(folder))
    return error;
  return new ConfigurationError(
    `${error.message}: set TMPDIR to another folder, or use --kubeconfig-out=- for the standard output`,
  );
}
