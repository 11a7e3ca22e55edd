import { expect, it } from 'vitest';
import { awaitReady } from '../../src/composition/await-ready.ts';
import { type Logger, SILENT } from '../../src/observability/log.ts';

/** Waits with a clock whose timers fire at once, and advance it. @param answers failing checks, look by look */
function wait(answers: readonly (readonly string[])[], limit = 60_000) {
  const warnings: unknown[] = [];
  const logger: Logger = { ...SILENT, warn: (message, fields) => void warnings.push([message, fields]) };
  let [now, looks] = [0, 0];
  const done = awaitReady({
    failing: async () => answers[Math.min(looks++, answers.length - 1)]!,
    limit,
    clock: {
      monotonic: () => now,
      after(milliseconds, callback) {
        now += milliseconds * 50;
        queueMicrotask(callback);
        return () => undefined;
      },
    },
    logger,
  });
  return { done, warnings, looks: () => looks };
}

it('resolves when no check fails any more', async () => {
  const { done, warnings, looks } = wait([['etcd: no answer', 'log: closed'], ['etcd: no answer'], []]);
  await done;
  expect([looks(), warnings]).toEqual([3, []]);
});

it('says once what is missing, after five seconds', async () => {
  const { done, warnings } = wait([...Array.from({ length: 12 }, () => ['etcd: no answer']), []]);
  await done;
  expect(warnings).toEqual([['not ready yet', { checks: 'etcd: no answer' }]]);
});

it('fails at the limit with what is missing', async () => {
  await expect(wait([['a: one', 'b: two']]).done).rejects.toThrow(
    'the server was not ready after 60 s: a: one, b: two',
  );
});

it('waits without a limit if there is none', async () => {
  const { done, looks } = wait(
    [...Array.from({ length: 500 }, () => ['a: one']), []],
    Number.POSITIVE_INFINITY,
  );
  await done;
  expect(looks()).toBe(501);
});
