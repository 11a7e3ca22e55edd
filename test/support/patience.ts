import { vi } from 'vitest';

/** Timeout of `vi.waitFor` for hangs only: the default of one second fails on a busy machine. */
const LIMIT_MILLISECONDS = 120_000;

const { waitFor } = vi;
// Workers load this before each file, and `vi` is the same for all of them.
if (waitFor.name !== 'waitPatiently') {
  vi.waitFor = function waitPatiently(callback, options) {
    const given = typeof options === 'number' ? { timeout: options } : options;
    return waitFor(callback, { timeout: LIMIT_MILLISECONDS, ...given });
  };
}
