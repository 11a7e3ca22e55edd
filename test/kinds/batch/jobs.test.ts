import { describe, expect, it } from 'vitest';
import { countingIndexes, findingOverlap } from '../../../src/kinds/batch/index-list.ts';
import { jobStrategy } from '../../../src/kinds/batch/job.ts';
import { timeZoneErrors } from '../../../src/kinds/batch/time-zone.ts';
import type { KubernetesObject } from '../../../src/model/object.ts';
import { loadScheme, type ServedMinor } from '../../../src/model/scheme.ts';
import { scheduleError } from '../../../src/time/cron-schedule.ts';
import { atOnce } from '../../support/at-once.ts';
import { cronJobStrategy } from '../../support/builtin-resources.ts';
import { contextOf, created, defaulted, errorsOf, updated } from '../run-strategy.ts';

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
const metadata = { uid: 'u' };
const errors = (spec: object): string[] => errorsOf(jobStrategy, { metadata, spec: { template, ...spec } });

describe('job strategy', () => {
  it('defaults to one completion and a selector by uid', () => {
    const { object, errors: creationErrors } = created(jobStrategy, { metadata, spec: { template } });
    const labels = {
      'batch.kubernetes.io/controller-uid': 'u',
      'batch.kubernetes.io/job-name': 'x',
      'controller-uid': 'u',
      'job-name': 'x',
    };
    expect(creationErrors).toEqual([]);
    expect(object.metadata).not.toHaveProperty('labels');
    jobStrategy.defaulting!.completion!.complete(object);
    expect(object).toMatchObject({
      metadata: { labels },
      spec: {
        backoffLimit: 6,
        completionMode: 'NonIndexed',
        completions: 1,
        parallelism: 1,
        manualSelector: false,
        suspend: false,
        podReplacementPolicy: 'TerminatingOrFailed',
        selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u' } },
        template: { metadata: { labels } },
      },
    });
  });

  it('derives defaults from related fields', () => {
    const spec = (fields: object): object =>
      defaulted(jobStrategy, { spec: { template, ...fields } })['spec'] as object;
    expect(spec({ parallelism: 4 })).not.toHaveProperty('completions');
    expect(spec({ completions: 3 })).toMatchObject({ parallelism: 1 });
    expect(spec({ backoffLimitPerIndex: 1 })).toMatchObject({ backoffLimit: 2 ** 31 - 1 });
    expect(
      spec({
        podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] },
      }),
    ).toMatchObject({
      podReplacementPolicy: 'Failed',
      podFailurePolicy: { rules: [{ onPodConditions: [{ status: 'True' }] }] },
    });
  });

  it.each<[string, object, string[]]>([
    [
      'restart policy Always',
      { template: { spec: { containers: [{ name: 'c', image: 'i' }] } } },
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    [
      'an unknown completion mode',
      { completionMode: 'Other' },
      ['spec.completionMode: Unsupported value: "Other": supported values: "NonIndexed", "Indexed"'],
    ],
    [
      'backoffLimitPerIndex without indexed mode',
      { backoffLimitPerIndex: 1 },
      ['spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode'],
    ],
    [
      'too high parallelism',
      { completionMode: 'Indexed', completions: 5, parallelism: 100_001 },
      [
        'spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed',
      ],
    ],
    [
      'a manager without a domain',
      { managedBy: 'plain' },
      ['spec.managedBy: Invalid value: "plain": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    [
      'restart policy OnFailure with a failure policy',
      {
        template: { spec: { ...template.spec, restartPolicy: 'OnFailure' } },
        podFailurePolicy: { rules: [{ action: 'Count', onExitCodes: { operator: 'In', values: [0] } }] },
      },
      [
        'spec.podFailurePolicy.rules[0].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator',
        'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
      ],
    ],
    [
      'a failure rule without a condition',
      { podFailurePolicy: { rules: [{ action: 'FailIndex' }] } },
      [
        'spec.podFailurePolicy.rules[0].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set',
        'spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
      ],
    ],
    [
      'a success policy with unordered indexes',
      {
        completionMode: 'Indexed',
        completions: 5,
        successPolicy: {
          rules: [{ succeededIndexes: '3,1' }, { succeededIndexes: '0-1', succeededCount: 3 }],
        },
      },
      [
        'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "3,1": error parsing succeededIndexes: non-increasing order, previous: 3, current: 1',
        'spec.successPolicy.rules[1].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)',
      ],
    ],
  ])('rejects %s', (_case, spec, expected) => {
    expect(errors(spec)).toEqual(expected);
  });

  it('rejects a custom selector without manualSelector', () => {
    expect(errors({ selector: { matchLabels: { a: 'b' } } })).toEqual([
      expect.stringMatching(/^spec\.selector: .*`selector` not auto-generated$/),
      expect.stringMatching(
        /^spec\.template\.metadata\.labels: .*`selector` does not match template `labels`$/,
      ),
    ]);
    expect(
      errors({
        manualSelector: true,
        selector: { matchLabels: { own: 'x' } },
        template: { ...template, metadata: { labels: { own: 'x' } } },
      }),
    ).toEqual([]);
  });

  describe('update', () => {
    const make = (spec: object = {}): KubernetesObject =>
      created(jobStrategy, { metadata, spec: { template, ...spec } }).object;
    const change = (old: KubernetesObject, spec: object): string[] =>
      updated(jobStrategy, { ...old, spec: { ...(old['spec'] as object), ...spec } }, old).errors;

    it('rejects changes of immutable members', () => {
      const old = make();
      expect(change(old, { parallelism: 2, suspend: true, backoffLimit: 1 })).toEqual([]);
      expect(change(old, { completions: 5 })).toEqual([
        'spec.completions: Invalid value: 5: field is immutable',
      ]);
      expect(change(old, { managedBy: 'a.test/b' })).toEqual([
        'spec.managedBy: Invalid value: "a.test/b": field is immutable',
      ]);
    });

    it('allows changing completions and parallelism together when indexed', () => {
      const old = make({ completionMode: 'Indexed', completions: 3, parallelism: 3 });
      expect(change(old, { completions: 5, parallelism: 5 })).toEqual([]);
      expect(change(old, { completions: 5 })).toEqual([
        'spec.completions: Invalid value: 5: can only be modified in tandem with spec.parallelism',
      ]);
    });

    it('allows changing scheduling directives until a suspended job starts', () => {
      const reschedule = (old: KubernetesObject): string[] => {
        const pods = (old['spec'] as { template: { spec: object } }).template;
        return change(old, {
          template: {
            ...pods,
            spec: {
              ...pods.spec,
              nodeSelector: { a: 'b' },
              affinity: {
                nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{}] } },
              },
            },
          },
        });
      };
      expect(reschedule(make({ suspend: true }))).toEqual([]);
      expect(reschedule(make())).toEqual([expect.stringMatching(/^spec\.template: .*field is immutable$/)]);
    });

    it('allows changing resources of an idle suspended job since 1.36', async () => {
      const old = make({ suspend: true });
      const spec = {
        ...(old['spec'] as object),
        template: {
          spec: {
            ...template.spec,
            containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1' } } }],
          },
          metadata: (old['spec'] as { template: { metadata: object } }).template.metadata,
        },
      };
      const errorsIn = async (minor: ServedMinor, status: object = {}): Promise<string[]> => {
        const { has, isOnByDefault } = await loadScheme(minor);
        const context = contextOf({ has, isOn: isOnByDefault });
        return updated(jobStrategy, { ...old, spec, status }, { ...old, status }, context).errors;
      };
      expect(await errorsIn('1.35')).toEqual([
        expect.stringMatching(/^spec\.template: .*field is immutable$/),
      ]);
      expect(await errorsIn('1.36')).toEqual([]);
      expect(await errorsIn('1.36', { active: 1 })).toHaveLength(1);
      const startTime = '2024-01-02T03:04:05Z';
      expect(await errorsIn('1.36', { startTime })).toHaveLength(1);
      const conditions = [{ type: 'Suspended', status: 'True' }];
      expect(await errorsIn('1.36', { startTime, conditions })).toEqual([]);
    });

    it('reports a selector that is not generated once since 1.37, as JSON', async () => {
      const old = make();
      const selector = { matchLabels: { b: '1', a: '2' } };
      const errorsIn = async (minor: ServedMinor): Promise<string[]> =>
        updated(
          jobStrategy,
          { ...old, spec: { ...(old['spec'] as object), selector } },
          old,
          contextOf({ has: (await loadScheme(minor)).has }),
        ).errors;
      expect((await errorsIn('1.36')).join()).toContain('not auto-generated');
      expect((await errorsIn('1.37')).at(-1)).toBe(
        'spec.selector: Invalid value: {"matchLabels":{"a":"2","b":"1"}}: field is immutable',
      );
      expect(await errorsIn('1.37')).toHaveLength(2);
    });

    it('reports specification errors twice', () => {
      expect(change(make(), { parallelism: -1 })).toEqual(
        Array(2).fill('spec.parallelism: Invalid value: -1: must be greater than or equal to 0'),
      );
    });
  });

  describe('status update', () => {
    const old = created(jobStrategy, { metadata, spec: { template } }).object;
    const statusErrors = (status: object, before: object = {}): string[] =>
      updated(
        jobStrategy,
        { ...old, status },
        { ...old, status: before } as KubernetesObject,
        contextOf({ subresource: 'status' }),
      ).errors;
    const is = (...types: string[]): object[] => types.map((type) => ({ type, status: 'True' }));

    it('rejects contradictory conditions', () => {
      expect(statusErrors({ active: -1, conditions: is('Complete', 'Failed') }).sort()).toEqual([
        'status.active: Invalid value: -1: must be greater than or equal to 0',
        'status.completionTime: Required value: completionTime is required for Complete jobs',
        'status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions',
        'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
        'status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition',
        'status.startTime: Required value: startTime is required for finished job',
      ]);
      expect(
        statusErrors({
          startTime: '2020-01-01T00:00:00Z',
          completionTime: '2020-01-01T00:00:05Z',
          succeeded: 1,
          conditions: is('SuccessCriteriaMet', 'Complete'),
        }),
      ).toEqual([]);
    });

    it('rejects a pod in both uncounted lists', () => {
      expect(statusErrors({ uncountedTerminatedPods: { succeeded: ['a', 'b'], failed: ['b', ''] } })).toEqual(
        [
          'status.uncountedTerminatedPods.failed[0]: Duplicate value: "b"',
          'status.uncountedTerminatedPods.failed[1]: Invalid value: "": must not be empty',
        ],
      );
    });

    it('does not validate unchanged members', () => {
      const stale = { active: 1, completionTime: '2020-01-01T00:00:05Z', completedIndexes: 'x', ready: 2 };
      expect(statusErrors({ ...stale, succeeded: 1 }, stale)).toEqual([]);
      expect(statusErrors(stale)).toHaveLength(4);
    });

    it('rejects another start or completion, unless the job was suspended', () => {
      const startTime = '2020-01-01T00:00:00Z';
      const completionTime = '2020-01-01T00:00:05Z';
      const suspended = (status: string) => ({ conditions: [{ type: 'Suspended', status }] });
      expect(statusErrors(suspended('False'), { startTime, ...suspended('True') })).toEqual([]);
      expect(statusErrors(suspended('False'), { startTime, ...suspended('False') })).toEqual([
        'status.startTime: Required value: startTime cannot be removed for unsuspended job',
      ]);
      const complete = { startTime, completionTime, conditions: is('SuccessCriteriaMet', 'Complete') };
      expect(statusErrors({ ...complete, completionTime: '2020-01-01T00:00:06Z' }, complete)).toEqual([
        'status.completionTime: Invalid value: 2020-01-01 00:00:06 +0000 UTC: completionTime cannot be mutated',
      ]);
    });

    it('lets a suspended job finish without a start only if it needs no completions', () => {
      const finish = (completions: number) => {
        const job = { ...old, spec: { ...(old.spec as object), suspend: true, completions } };
        const status = {
          completionTime: '2020-01-01T00:00:05Z',
          conditions: is('SuccessCriteriaMet', 'Complete'),
        };
        return updated(
          jobStrategy,
          { ...job, status },
          { ...job, status: {} } as KubernetesObject,
          contextOf({ subresource: 'status' }),
        ).errors;
      };
      expect(finish(0)).toEqual([]);
      expect(finish(1)).toEqual(['status.startTime: Required value: startTime is required for finished job']);
    });

    it('rejects reverting terminal conditions and counters', () => {
      expect(
        statusErrors({ succeeded: 0, conditions: [] }, { succeeded: 1, conditions: is('FailureTarget') }),
      ).toEqual([
        'status.conditions: Invalid value: cannot disable the terminal FailureTarget=True condition',
        'status.succeeded: Invalid value: 0: cannot decrease the succeeded counter',
      ]);
    });
  });
});

const countIndexes = atOnce(countingIndexes);
const firstOverlap = atOnce(findingOverlap);

describe('countIndexes', () => {
  it('counts indexes and reports malformed lists', () => {
    expect(countIndexes('', 5)).toEqual({ count: 0 });
    expect(countIndexes('0,2-4', 5)).toEqual({ count: 4 });
    for (const text of ['5', 'x', '1-2-3', '2-2', '3,3', '-1', '1,'])
      expect(countIndexes(text, 5).error, text).toBeDefined();
  });
});

describe('firstOverlap', () => {
  it.each<[string, string, number | undefined]>([
    ['', '1', undefined],
    ['0-2,5', '3,4', undefined],
    ['0-2,5', '3-6', 5],
    ['x,4', '4', 4],
    ['7', '7', undefined],
  ])('of %s and %s is %s', (one, other, expected) => {
    expect(firstOverlap(one, other, 7)).toBe(expected);
    expect(firstOverlap(other, one, 7)).toBe(expected);
  });
});

describe('scheduleError', () => {
  it.each([
    '* * * * *',
    '*/5 0-6 1,15 JAN-MAR mon',
    '0 0 ? * *',
    '5/15 * * * *',
    '@daily',
    '@every 1h30m',
    'CRON_TZ=UTC 0 0 * * *',
  ])('accepts %s', (schedule) => {
    expect(scheduleError(schedule)).toBeUndefined();
  });

  it.each([
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['*/1/2 * * * *', 'too many slashes: */1/2'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['@often', 'unrecognized descriptor: @often'],
    ['', 'empty spec string'],
  ])('rejects %s', (schedule, text) => {
    expect(scheduleError(schedule)).toBe(text);
  });

  it('accepts zones of the time zone database only', () => {
    expect(timeZoneErrors('Europe/Madrid')).toEqual([]);
    expect(timeZoneErrors('UTC')).toEqual([]);
    for (const zone of ['US/Eastern', 'EST5EDT', 'Etc/GMT+5', 'GB', 'NZ-CHAT'])
      expect(timeZoneErrors(zone)).toEqual([]);
    for (const zone of ['EUROPE/BERLIN', 'EuRope/Berlin', 'US/EASTERN'])
      expect(timeZoneErrors(zone)).toEqual([`unknown time zone ${zone}`]);
    expect(timeZoneErrors('Mars/Base')).toEqual(['unknown time zone Mars/Base']);
    expect(timeZoneErrors('+01:00')).toEqual(['unknown time zone +01:00']);
    expect(timeZoneErrors('Europe/../Madrid')).toEqual(['unknown time zone Europe/../Madrid']);
    expect(timeZoneErrors('Local')).toEqual([
      expect.stringMatching(/^timeZone must be an explicit time zone/),
    ]);
    expect(timeZoneErrors('local')).toEqual([
      expect.stringMatching(/^timeZone must be an explicit time zone/),
      'unknown time zone local',
    ]);
  });
});

describe('cron job strategy', () => {
  const jobTemplate = { spec: { template } };
  const cronErrors = (spec: object, more: object = {}): string[] =>
    errorsOf(cronJobStrategy, { metadata: more, spec: { schedule: '@daily', jobTemplate, ...spec } });

  it('sets defaults, but not those of jobs', () => {
    expect(defaulted(cronJobStrategy, { spec: { schedule: '@daily', jobTemplate } })['spec']).toMatchObject({
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      jobTemplate: { spec: { template: { spec: { dnsPolicy: 'ClusterFirst' } } } },
    });
    expect(
      defaulted(cronJobStrategy, { spec: { schedule: '@daily', jobTemplate } })['spec'],
    ).not.toHaveProperty('jobTemplate.spec.backoffLimit');
  });

  it('rejects a selector in the job template and a long name', () => {
    expect(
      cronErrors({
        jobTemplate: { spec: { template, manualSelector: true, selector: { matchLabels: { a: 'b' } } } },
      }),
    ).toEqual([
      expect.stringMatching(/^spec\.jobTemplate\.spec\.selector: .*`selector` will be auto-generated$/),
      'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
    ]);
    expect(cronErrors({}, { name: 'n'.repeat(53) })).toEqual([
      `metadata.name: Invalid value: "${'n'.repeat(53)}": must be no more than 52 characters`,
    ]);
  });

  it('accepts a time zone in the schedule only if the stored schedule has one', () => {
    const schedule = 'TZ=UTC 0 0 * * *';
    expect(cronErrors({ schedule })).toEqual([
      `spec.schedule: Invalid value: "${schedule}": cannot use TZ or CRON_TZ in schedule, use timeZone field instead`,
    ]);
    const old = { spec: { schedule } } as unknown as KubernetesObject;
    expect(updated(cronJobStrategy, { spec: { schedule, jobTemplate } }, old).errors).toEqual([]);
    expect(
      updated(cronJobStrategy, { spec: { schedule, timeZone: 'UTC', jobTemplate } }, old).errors,
    ).toEqual([
      `spec.schedule: Invalid value: "${schedule}": cannot use both timeZone field and TZ or CRON_TZ in schedule`,
    ]);
  });
});
