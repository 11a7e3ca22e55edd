import { inspect, isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setStepSizes } from '../../src/steps/sizes.ts';
import { APPLY_CASES } from './pace/apply-cases.ts';
import { AUTHORIZATION_CASES } from './pace/authorization-cases.ts';
import { CACHE_CASES } from './pace/cache-cases.ts';
import { CEL_CASES } from './pace/cel-cases.ts';
import { CODEC_CASES } from './pace/codec-cases.ts';
import { EXTENSIONS_CASES } from './pace/extensions-cases.ts';
import { HANDLERS_CASES } from './pace/handlers-cases.ts';
import { KINDS_CASES } from './pace/kinds-cases.ts';
import { PATCH_CASES } from './pace/patch-cases.ts';
import { SCHEDULER_CASES } from './pace/scheduler-cases.ts';
import { SERVED_FUNCTIONS, servedAnswers } from './pace/served-requests.ts';
import { stepFunctions, type WatchedCalls, watchCalls } from './pace/step-functions.ts';
import { STEPS_CASES } from './pace/steps-cases.ts';
import { STRUCTURAL_CASES } from './pace/structural-cases.ts';
import { WORKLOADS_CASES } from './pace/workloads-cases.ts';

const CASES = [
  ...APPLY_CASES,
  ...AUTHORIZATION_CASES,
  ...CACHE_CASES,
  ...CEL_CASES,
  ...CODEC_CASES,
  ...EXTENSIONS_CASES,
  ...HANDLERS_CASES,
  ...KINDS_CASES,
  ...PATCH_CASES,
  ...SCHEDULER_CASES,
  ...STEPS_CASES,
  ...STRUCTURAL_CASES,
  ...WORKLOADS_CASES,
];
/** A size that is never reached. */
const UNLIMITED = 2 ** 40;

interface Outcome {
  readonly result: unknown;
  readonly pauses: number;
}

/** Runs work to its end at a pace. Parts are joined; an error is a result. */
function outcomeAt(size: number, start: () => Iterator<unknown, unknown, void>): Outcome {
  const restore = setStepSizes(size);
  let pauses = 0;
  const parts: string[] = [];
  try {
    const steps = start();
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return { result: parts.length > 0 ? parts.join('') : step.value, pauses };
      if (step.value === undefined) pauses += 1;
      else parts.push(typeof step.value === 'string' ? step.value : latin1(step.value as Uint8Array));
    }
  } catch (error) {
    return { result: failure(error), pauses };
  } finally {
    restore();
  }
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const failure = (error: unknown): unknown => ({
  name: (error as Error).name,
  message: (error as Error).message,
});

function resultOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return failure(error);
  }
}

/** Compares by prototype and own members: vitest takes a member `constructor` for the type of an object. */
function expectSame(result: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(result, expected))
    expect(inspect(result, EVERYTHING)).toBe(inspect(expected, EVERYTHING));
}
const EVERYTHING = { depth: null, maxArrayLength: null, maxStringLength: null };

describe('work in steps', () => {
  const functions = stepFunctions();
  let calls: WatchedCalls;
  beforeAll(async () => {
    calls = await watchCalls(functions);
  });
  afterAll(() => calls.end());

  it.each(CASES.map((one) => [one.names[0]!, one] as const))(
    'has the same result at each pace: %s',
    (_, one) => {
      let pauses = 0;
      let pausesAtOnce = 0;
      fc.assert(
        one.check((start, atOnce) => {
          const expected = outcomeAt(UNLIMITED, start);
          for (const size of [1, 3]) {
            const { result, pauses: some } = outcomeAt(size, start);
            expectSame(result, expected.result);
            pauses += some;
          }
          pausesAtOnce += expected.pauses;
          if (atOnce !== undefined) expectSame(expected.result, resultOf(atOnce));
        }),
      );
      if (one.pausesBySize) expect(pauses).toBeGreaterThan(2 * pausesAtOnce);
    },
  );

  it('answers requests with the same bytes at each pace', async () => {
    const expected = await servedAnswers();
    const restore = setStepSizes(1);
    try {
      expect(await servedAnswers()).toEqual(expected);
    } finally {
      restore();
    }
  }, 60_000);

  it('has a case for each exported function', () => {
    const named = new Set([...SERVED_FUNCTIONS, ...CASES.flatMap(({ names }) => names)]);
    expect([...named].filter((name) => !functions.includes(name))).toEqual([]);
    const isCovered = (name: string): boolean =>
      calls.unseen.has(name) ? named.has(name) : calls.called.has(name);
    expect(functions.filter((name) => !isCovered(name))).toEqual([]);
    expect(functions.length).toBeGreaterThan(130);
  });
});
