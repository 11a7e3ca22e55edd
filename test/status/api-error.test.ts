import { expect, it } from 'vitest';
import { ApiError, errors } from '../../src/status/index.ts';

it('a refusal has no stack, and errors after it have theirs', () => {
  const frames = ({ stack }: Error) => stack?.split('\n').filter((line) => line.startsWith('    at ')).length;
  const limit = Error.stackTraceLimit;
  expect(frames(new ApiError(403, 'Forbidden', 'no', undefined))).toBe(0);
  expect(frames(errors.internal('defect'))).toBeGreaterThan(0);
  expect(frames(new Error('other'))).toBeGreaterThan(0);
  expect(Error.stackTraceLimit).toBe(limit);
});
