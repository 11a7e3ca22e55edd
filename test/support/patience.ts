import { vi } from 'vitest';

/**
 * Only ends what hangs: the default of one second fails where a machine does other things at the same time.
 */
const LIMIT_MILLISECONDS = 120_000;

const { waitFor } = vi;
// Workers load this before each file, and `vi` is the same for all of them.
if (waitFor.name !== 'waitPatiently') {
  vi.waitFor = function waitPatiently(callback, options) {
    const given = typeof options === 'number' ? { timeout: options } : options;
    return waitFor(callback, { timeout: LIMIT_MILLISECONDS, ...given });
  };
}
