import { describe, expect, it } from 'vitest';
import { writeYaml } from '../../src/codec/yaml-write.ts';
import { toApiError } from '../../src/filters/errors.ts';

/** What a function throws. */
function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('toApiError', () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];

  it.each([
    ['JSON', () => JSON.stringify(deep)],
    ['YAML', () => writeYaml(deep)],
  ])('is a client error for data that is too deep: %s', (_what, write) => {
    expect(toApiError(thrownBy(write))).toMatchObject({ code: 413, reason: 'RequestEntityTooLarge' });
  });

  it('is undefined for other errors', () => {
    expect(toApiError(new RangeError('Invalid array length'))).toBeUndefined();
    expect(toApiError('text')).toBeUndefined();
  });
});
