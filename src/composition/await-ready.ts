import { ConfigurationError } from '../errors/configuration-error.ts';
import type { Logger } from '../observability/log.ts';
import type { ProcessClock } from '../time/clock.ts';
import { pause } from '../time/pause.ts';

/** Between two looks at the checks, in milliseconds. */
const PAUSE = 20;
/** After this time the log says once what is missing. */
const PATIENCE = 5000;

export interface ReadinessOptions {
  /** The checks of `/readyz` that fail now, each as `name: reason`. */
  readonly failing: () => Promise<readonly string[]>;
  /** Longest time to wait in milliseconds. */
  readonly limit: number;
  /** Its timers keep the process alive. */
  readonly clock: Pick<ProcessClock, 'after' | 'monotonic'>;
  readonly logger: Logger;
}

/**
 * Resolves when `/readyz` passes.
 * @throws ConfigurationError that names what fails after the limit
 */
export async function awaitReady({ failing, limit, clock, logger }: ReadinessOptions): Promise<void> {
  const start = clock.monotonic();
  for (let told = false; ; ) {
    const failures = await failing();
    if (failures.length === 0) return;
    const waited = clock.monotonic() - start;
    if (waited >= limit)
      throw new ConfigurationError(
        `the server was not ready after ${Math.round(waited / 1000)} s: ${failures.join(', ')}`,
      );
    if (waited >= PATIENCE && !told) {
      told = true;
      logger.warn('not ready yet', { checks: failures.join(', ') });
    }
    await pause(PAUSE, clock);
  }
}
