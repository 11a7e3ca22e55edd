import { describe, expect, it } from 'vitest';
import type { JobSpec } from '../../../src/model/generated/batch-v1.ts';
import { JOBS } from '../../../src/reconcile/resources.ts';
import { NO_FAILURES, untilReplaced, withFinished } from '../../../src/workloads/jobs/back-off.ts';
import { endingOf, isComplete } from '../../../src/workloads/jobs/ending.ts';
import { newCondition, withCondition } from '../../../src/workloads/jobs/job.ts';
import { observe } from '../../../src/workloads/jobs/observed.ts';
import { planPods } from '../../../src/workloads/jobs/plan.ts';
import { podOf } from '../../../src/workloads/jobs/pod-template.ts';
import { FAILURE_COUNT_ANNOTATION, finishedAt } from '../../../src/workloads/jobs/pods.ts';
import { countReleased, finish, track } from '../../../src/workloads/jobs/tracking.ts';
import { ago, job, jobPod, NOW } from './jobs.ts';

const look = (spec: JobSpec, ...pods: Parameters<typeof observe>[1][number][]) =>
  observe(job(spec), pods, NO_FAILURES);

describe('the number of Pods of a Job', () => {
  it.each([
    ['parallelism bounds it', { parallelism: 2, completions: 5 }, [], 2],
    ['completions that are left bound it', { parallelism: 5, completions: 2 }, ['Succeeded'], 1],
    ['without completions it is parallelism', { parallelism: 3, completions: undefined }, [], 3],
  ])('%s', (_title, spec, phases, count) => {
    const pods = phases.map((phase, index) => jobPod(`p${index}`, { phase }));
    expect(planPods(look(spec as JobSpec, ...pods), NOW)).toEqual({
      does: 'create',
      indexes: Array.from({ length: count }, () => undefined),
    });
  });

  it('does not grow after a success without completions', () => {
    const pods = [jobPod('a', { phase: 'Succeeded' }), jobPod('b')];
    const observed = look({ parallelism: 3, completions: undefined } as unknown as JobSpec, ...pods);
    expect(planPods(observed, NOW)).toEqual({ does: 'nothing' });
    expect(isComplete(observed, 1)).toBe(false);
    expect(isComplete(observed, 0)).toBe(true);
  });

  it('is 0 while the Job is suspended', () => {
    const plan = planPods(
      look({ suspend: true, parallelism: 2, completions: 2 }, jobPod('a'), jobPod('b')),
      NOW,
    );
    expect(plan.does === 'delete' && plan.pods.length).toBe(2);
  });

  it('waits for terminating Pods where only failed ones are replaced', () => {
    const spec: JobSpec = { podReplacementPolicy: 'Failed' };
    expect(planPods(look(spec, jobPod('a', { deleted: true })), NOW)).toEqual({ does: 'nothing' });
    expect(planPods(look({}, jobPod('a', { deleted: true })), NOW).does).toBe('wait');
  });
});

describe('the Pods of an indexed Job', () => {
  const spec: JobSpec = { completionMode: 'Indexed', completions: 4, parallelism: 4 };

  it('are those of the lowest indexes without one', () => {
    const pods = [jobPod('a', { index: 1 }), jobPod('b', { index: 2, phase: 'Succeeded' })];
    expect(planPods(look(spec, ...pods), NOW)).toEqual({ does: 'create', indexes: [0, 3] });
  });

  it('are one for each index: others go first', () => {
    const pods = [0, 0, 9].map((index, at) => jobPod(`p${at}`, { index }));
    const plan = planPods(look(spec, ...pods, jobPod('none')), NOW);
    expect(plan.does === 'delete' && plan.pods.map(({ metadata }) => metadata?.name).sort()).toEqual([
      'none',
      expect.stringMatching(/p[01]/),
      'p2',
    ]);
  });

  it('take over the failures of the ones that they replace', () => {
    const failed = jobPod('a', {
      index: 0,
      phase: 'Failed',
      exitCode: 1,
      ended: 60,
      annotations: { [FAILURE_COUNT_ANNOTATION]: '1' },
    });
    const observed = look({ ...spec, backoffLimitPerIndex: 5 }, failed);
    expect(observed.replaced.get(0)).toBe(failed);
    expect(planPods(observed, NOW)).toEqual({ does: 'create', indexes: [0, 1, 2, 3] });
    const owner = { resource: JOBS, object: observed.job };
    expect(podOf(owner, 0, failed).metadata?.annotations?.[FAILURE_COUNT_ANNOTATION]).toBe('2');
    expect(podOf(owner, 1, undefined).metadata?.annotations?.[FAILURE_COUNT_ANNOTATION]).toBe('0');
    // The failed Pod stays until its replacement exists.
    expect(track(observed, {}, undefined).released).toEqual([]);
  });
});

describe('the back-off of a Job', () => {
  it('doubles from ten seconds to ten minutes', () => {
    const waits = [1, 2, 3, 7, 20].map((count) => untilReplaced({ count, last: NOW }, NOW));
    expect(waits).toEqual([10_000, 20_000, 40_000, 600_000, 600_000]);
    expect(untilReplaced({ count: 1, last: NOW - 9000 }, NOW)).toBe(1000);
  });

  it('counts failures after the last success', () => {
    const failed = [30, 10].map((ended, at) => jobPod(`f${at}`, { phase: 'Failed', exitCode: 1, ended }));
    expect(withFinished({ count: 2, last: 0 }, [], failed)).toEqual({ count: 4, last: NOW - 10_000 });
    const succeeded = [jobPod('s', { phase: 'Succeeded', exitCode: 0, ended: 20 })];
    expect(withFinished({ count: 2, last: 0 }, succeeded, failed)).toEqual({ count: 1, last: NOW - 10_000 });
    expect(withFinished({ count: 2, last: 0 }, succeeded, [])).toEqual(NO_FAILURES);
  });

  it('takes the end of containers, then of readiness, then the deletion', () => {
    expect(finishedAt(jobPod('a', { exitCode: 1, ended: 7 }))).toBe(NOW - 7000);
    const unready = { type: 'Ready', status: 'False', lastTransitionTime: ago(5) };
    expect(finishedAt(jobPod('a', { conditions: [unready] }))).toBe(NOW - 5000);
    expect(finishedAt(jobPod('a', { deleted: true }))).toBe(NOW);
    expect(finishedAt(jobPod('a'))).toBe(NOW - 100_000);
  });
});

describe('the end of a Job', () => {
  const failed = (name: string, exitCode = 1) => jobPod(name, { phase: 'Failed', exitCode });

  it('comes with more failures than its limit', () => {
    expect(endingOf(look({ backoffLimit: 1 }, failed('a')), NOW)).toBeUndefined();
    expect(endingOf(look({ backoffLimit: 1 }, failed('a'), failed('b')), NOW)).toEqual({
      outcome: 'Failed',
      reason: 'BackoffLimitExceeded',
      message: 'Job has reached the specified backoff limit',
    });
  });

  it('comes with restarts where these count', () => {
    const spec = (backoffLimit: number): JobSpec => ({
      backoffLimit,
      template: { spec: { restartPolicy: 'OnFailure' } },
    });
    const restarted = jobPod('a', { restarts: 2 });
    expect(endingOf(look(spec(3), restarted), NOW)).toBeUndefined();
    expect(endingOf(look(spec(2), restarted), NOW)?.reason).toBe('BackoffLimitExceeded');
    expect(endingOf(look(spec(0), jobPod('a')), NOW)).toBeUndefined();
  });

  it('comes at its deadline, which does not count while it is suspended', () => {
    const at = (spec: JobSpec, startTime: string) =>
      endingOf(observe(job({ activeDeadlineSeconds: 10, ...spec }, { startTime }), [], NO_FAILURES), NOW);
    expect(at({}, ago(9))).toBeUndefined();
    expect(at({}, ago(10))?.reason).toBe('DeadlineExceeded');
    expect(at({ suspend: true }, ago(10))).toBeUndefined();
  });

  it('is what a failure policy says of the first rule that matches', () => {
    const rules = [
      { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      { action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } },
      { action: 'Count', onExitCodes: { operator: 'NotIn', values: [7] } },
    ];
    const spec: JobSpec = { backoffLimit: 0, podFailurePolicy: { rules } };
    expect(endingOf(look(spec, failed('a', 42)), NOW)).toEqual({
      outcome: 'Failed',
      reason: 'PodFailurePolicy',
      message: 'Container main for pod ns/a failed with exit code 42 matching FailJob rule at index 1',
    });
    const conditions = [{ type: 'DisruptionTarget', status: 'True' }];
    expect(
      endingOf(look(spec, jobPod('a', { phase: 'Failed', exitCode: 42, conditions })), NOW),
    ).toBeUndefined();
    expect(endingOf(look(spec, failed('a', 3)), NOW)?.reason).toBe('BackoffLimitExceeded');
  });

  it('is that of its indexes', () => {
    const spec: JobSpec = {
      completionMode: 'Indexed',
      completions: 3,
      backoffLimit: 2 ** 31 - 1,
      backoffLimitPerIndex: 0,
    };
    const pods = [0, 1].map((index) => jobPod(`p${index}`, { index, phase: 'Failed', exitCode: 1 }));
    expect(endingOf(look(spec, ...pods), NOW)).toBeUndefined();
    expect(endingOf(look({ ...spec, maxFailedIndexes: 1 }, ...pods), NOW)?.reason).toBe(
      'MaxFailedIndexesExceeded',
    );
    const last = jobPod('c', { index: 2, phase: 'Succeeded' });
    expect(endingOf(look(spec, ...pods, last), NOW)?.reason).toBe('FailedIndexes');
    const successPolicy = { rules: [{ succeededIndexes: '1-2', succeededCount: 1 }] };
    expect(endingOf(look({ ...spec, successPolicy }, last), NOW)).toEqual({
      outcome: 'Complete',
      reason: 'SuccessPolicy',
      message: 'Matched rules at index 0',
    });
  });
});

describe('the status of a Job', () => {
  it('names the ends of Pods before they are released, and counts them afterwards', () => {
    const pods = [jobPod('s', { phase: 'Succeeded' }), jobPod('f', { phase: 'Failed' }), jobPod('r')];
    const { status, released, isWhole } = track(look({}, ...pods), {}, undefined);
    expect(status.uncountedTerminatedPods).toEqual({ succeeded: ['s'], failed: ['f'] });
    expect(released.map(({ metadata }) => metadata?.name)).toEqual(['s', 'f']);
    expect(isWhole).toBe(true);
    const counted = countReleased(status, new Set(['f', 'r']));
    expect(counted).toMatchObject({ succeeded: 1, failed: 0, uncountedTerminatedPods: { failed: ['f'] } });
  });

  it('counts every Pod once, however often it is computed', () => {
    const pods = [jobPod('s', { phase: 'Succeeded' })];
    const first = track(look({}, ...pods), {}, undefined).status;
    const again = track(observe(job({}, first), pods, NO_FAILURES), first, undefined).status;
    expect(again.uncountedTerminatedPods).toEqual({ succeeded: ['s'] });
    const gone = track(observe(job({}, first), [], NO_FAILURES), first, undefined).status;
    expect(gone).toMatchObject({ succeeded: 1, uncountedTerminatedPods: {} });
  });

  it('names at most 500 Pods', () => {
    const pods = Array.from({ length: 600 }, (_, index) => jobPod(`p${index}`, { phase: 'Failed' }));
    const { status, released, isWhole } = track(look({}, ...pods), {}, undefined);
    expect(status.uncountedTerminatedPods?.failed).toHaveLength(500);
    expect(released).toHaveLength(500);
    expect(isWhole).toBe(false);
  });

  it('counts running Pods as failed when the Job has failed, and not when it has succeeded', () => {
    const ending = (outcome: 'Failed' | 'Complete') => ({ outcome, reason: 'R', message: 'm' });
    const observed = look({}, jobPod('r'));
    expect(track(observed, {}, ending('Failed')).status.uncountedTerminatedPods).toEqual({ failed: ['r'] });
    const success = track(observed, {}, ending('Complete'));
    expect(success.status.uncountedTerminatedPods).toEqual({});
    expect(success.released).toHaveLength(1);
  });

  it('says the end once no Pod is uncounted or terminating', () => {
    const ending = { outcome: 'Complete', reason: 'R', message: 'm' } as const;
    expect(finish({ uncountedTerminatedPods: { failed: ['a'] } }, ending, 0, NOW)).toBeUndefined();
    expect(finish({}, ending, 1, NOW)).toBeUndefined();
    const status = finish({ uncountedTerminatedPods: {} }, ending, 0, NOW);
    expect(status?.completionTime).toBe(ago(0));
    expect(status?.conditions).toEqual([newCondition('Complete', 'True', 'R', 'm', NOW)]);
  });

  it('does not begin to say that it is not suspended', () => {
    const resumed = newCondition('Suspended', 'False', 'JobResumed', 'Job resumed', NOW);
    expect(withCondition([], resumed)).toBeUndefined();
    const suspended = newCondition('Suspended', 'True', 'JobSuspended', 'Job suspended', NOW);
    expect(withCondition([suspended], resumed)).toEqual([resumed]);
    expect(withCondition([suspended], { ...suspended, lastTransitionTime: ago(9) })).toBeUndefined();
  });
});
