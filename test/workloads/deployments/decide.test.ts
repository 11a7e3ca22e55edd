import { describe, expect, it } from 'vitest';
import type { Deployment, DeploymentCondition, ReplicaSet } from '../../../src/model/generated/apps-v1.ts';
import type { Pod } from '../../../src/model/generated/core-v1.ts';
import { formatTime } from '../../../src/model/time.ts';
import type { Action } from '../../../src/workloads/deployments/actions.ts';
import { decide } from '../../../src/workloads/deployments/decide.ts';
import { NOW, pod } from '../../reconcile/pods/pods.ts';
import { deployment, replicaSet, scaledFor, template } from './objects.ts';

const decided = (
  object: Deployment,
  sets: readonly ReplicaSet[] = [],
  pods: Record<string, Pod[]> = {},
  now = NOW,
) => decide({ deployment: object, sets, podsOf: ({ metadata }) => pods[metadata!.name!] ?? [], now });

/** Actions in short: what they do, with which numbers. */
const shown = (actions: readonly Action[]): string[] =>
  actions.map((action) => {
    switch (action.does) {
      case 'create':
        return `create ${action.set.spec!.replicas}`;
      case 'update':
        return `${action.set.metadata!.name} ${action.from ?? ''}>${action.set.spec!.replicas}`;
      case 'delete':
        return `delete ${action.set.metadata!.name}`;
      case 'report':
        return `${action.type} ${action.reason}`;
      default:
        return action.does;
    }
  });

/** The Deployment that a decision writes. */
const written = (actions: readonly Action[]): Deployment =>
  actions.flatMap((action) => ('deployment' in action ? [action.deployment] : [])).at(-1)!;

const condition = ({ status }: Deployment, type: string): DeploymentCondition | undefined =>
  status?.conditions?.find((one) => one.type === type);

const withCondition = (reason: string, status = 'True', secondsAgo = 0): Partial<Deployment> => {
  const time = formatTime(NOW - secondsAgo * 1000);
  const one = {
    type: 'Progressing',
    status,
    reason,
    message: '',
    lastUpdateTime: time,
    lastTransitionTime: time,
  };
  return { status: { observedGeneration: 1, conditions: [one] } };
};

describe('a new Deployment', () => {
  it('creates a ReplicaSet that carries what it needs', () => {
    const { actions } = decided(
      deployment(
        {},
        {
          metadata: {
            ...deployment().metadata,
            annotations: { note: 'x', 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
          },
        },
      ),
    );
    expect(shown(actions)).toEqual(['create 3']);
    const [{ set }] = actions as [Action & { does: 'create' }];
    const hash = set.metadata!.labels!['pod-template-hash']!;
    expect(set.metadata).toMatchObject({
      name: `web-${hash}`,
      labels: { app: 'web', 'pod-template-hash': hash },
      annotations: { note: 'x', ...scaledFor(3, 4) },
      ownerReferences: [{ kind: 'Deployment', uid: 'web', controller: true, blockOwnerDeletion: true }],
    });
    expect(Object.keys(set.metadata!.annotations!).length).toBe(4);
    expect(set.spec).toMatchObject({
      selector: { matchLabels: { app: 'web', 'pod-template-hash': hash } },
      template: { metadata: { labels: { app: 'web', 'pod-template-hash': hash } } },
    });
    const object = written(actions);
    expect(object.metadata!.annotations!['deployment.kubernetes.io/revision']).toBe('1');
    expect(condition(object, 'Progressing')).toMatchObject({
      status: 'True',
      reason: 'NewReplicaSetCreated',
      message: `Created new replica set "web-${hash}"`,
    });
    expect(object.status).toMatchObject({ observedGeneration: 1, unavailableReplicas: 3 });
    expect(object.status!.replicas).toBeUndefined();
  });

  it('reports no progress without a deadline', () =>
    expect(
      condition(
        written(decided(deployment({ progressDeadlineSeconds: 2 ** 31 - 1 })).actions),
        'Progressing',
      ),
    ).toBeUndefined());

  it('creates nothing while it is paused, and says that it is', () => {
    const first = decided(deployment({ paused: true }));
    expect(shown(first.actions)).toEqual(['status']);
    expect(condition(written(first.actions), 'Progressing')).toMatchObject({
      status: 'Unknown',
      reason: 'DeploymentPaused',
      message: 'Deployment is paused',
    });
    const second = decided({ ...written(first.actions) });
    expect(shown(second.actions)).toEqual(['status']);
    const third = decided(written(second.actions));
    expect(third.actions).toEqual([]);
    const resumed = decided({ ...written(second.actions), spec: deployment().spec! });
    expect(condition(written(resumed.actions), 'Progressing')).toMatchObject({ reason: 'DeploymentResumed' });
  });

  it('adopts the oldest set with its template, without a hash', () => {
    const set = replicaSet('mine', { annotations: scaledFor(3, 4), rest: {} });
    delete set.metadata!.labels!['pod-template-hash'];
    const { actions } = decided(deployment(), [set, replicaSet('younger', { replicas: 0, age: -5 })]);
    expect(condition(written(actions), 'Progressing')?.reason).toBe('NewReplicaSetAvailable');
    expect(written(actions).metadata!.annotations!['deployment.kubernetes.io/revision']).toBe('1');
  });

  it('says that a set was found which has not progressed', () => {
    const set = replicaSet('mine', { annotations: scaledFor(3, 4), actual: 0 });
    expect(condition(written(decided(deployment(), [set]).actions), 'Progressing')).toMatchObject({
      reason: 'FoundNewReplicaSet',
      message: 'Found new replica set "mine"',
    });
  });

  it('is refused if it selects everything', () => {
    const { actions } = decided(deployment({ selector: {} }));
    expect(shown(actions)).toEqual(['Warning SelectingAll', 'status']);
    expect(shown(decided(written(actions)).actions)).toEqual(['Warning SelectingAll']);
  });

  it('is only counted while it is being deleted', () => {
    const going = deployment(
      {},
      { metadata: { ...deployment().metadata, deletionTimestamp: formatTime(NOW) } },
    );
    expect(shown(decided(going).actions)).toEqual(['status']);
  });
});

describe('a rollout', () => {
  const object = deployment({ template: template('v2') }, withCondition('ReplicaSetUpdated'));

  it('gives a set that becomes current again the next revision, and keeps its history', () => {
    const sets = [
      replicaSet('a', { annotations: scaledFor(3, 4, 4) }),
      replicaSet('b', {
        image: 'v2',
        replicas: 0,
        annotations: { ...scaledFor(3, 4, 2), 'deployment.kubernetes.io/revision-history': '1' },
      }),
    ];
    const { actions } = decided(object, sets);
    expect(shown(actions)).toEqual(['b >0']);
    const [{ set }] = actions as [Action & { does: 'update' }];
    expect(set.metadata!.annotations).toMatchObject({
      'deployment.kubernetes.io/revision': '5',
      'deployment.kubernetes.io/revision-history': '1,2',
    });
  });

  it.each([
    ['3546343826724305832', '3546343826724305833'],
    ['-2', '1'],
    ['9223372036854775808', '1'],
    ['soon', '1'],
  ])('after revision %s has revision %s', (before, after) => {
    const annotations = { ...scaledFor(3, 4), 'deployment.kubernetes.io/revision': before };
    const [{ set }] = decided(object, [replicaSet('a', { annotations })]).actions as [
      Action & { does: 'create' },
    ];
    expect(set.metadata!.annotations!['deployment.kubernetes.io/revision']).toBe(after);
  });

  it('passes on annotations and the time until Pods are available', () => {
    const current = replicaSet('a', { image: 'v2', annotations: scaledFor(3, 4) });
    const changed = {
      ...object,
      metadata: { ...object.metadata, annotations: { note: 'new' } },
      spec: { ...object.spec, minReadySeconds: 5 },
    };
    const [action] = decided(changed, [current]).actions as [Action & { does: 'update' }];
    expect(action.set.metadata!.annotations).toMatchObject({ note: 'new' });
    expect(action.set.spec!.minReadySeconds).toBe(5);
  });

  it('scales, and writes the numbers', () => {
    const sets = [
      replicaSet('old', { annotations: scaledFor(3, 4) }),
      replicaSet('new', { image: 'v2', replicas: 0, annotations: scaledFor(3, 4, 2) }),
    ];
    const { actions } = decided(object, sets);
    expect(shown(actions)).toEqual(['new 0>1', 'status']);
    expect(written(actions).status).toMatchObject({ replicas: 3, availableReplicas: 3 });
  });

  it('follows the wanted number first', () => {
    const sets = [
      replicaSet('old', { replicas: 2, annotations: scaledFor(2, 3) }),
      replicaSet('new', { image: 'v2', replicas: 1, annotations: scaledFor(2, 3, 2) }),
    ];
    expect(shown(decided(object, sets).actions)).toEqual(['old 2>3', 'new >1', 'status']);
  });

  it('removes the sets beyond the limit with the lowest revisions, once it is complete', () => {
    const sets = [
      replicaSet('new', { image: 'v2', annotations: scaledFor(3, 4, 9) }),
      ...[3, 8, 1, 5].map((revision) =>
        replicaSet(`r${revision}`, {
          image: `${revision}`,
          replicas: 0,
          annotations: scaledFor(3, 4, revision),
        }),
      ),
      replicaSet('busy', { image: 'b', replicas: 0, actual: 1, annotations: scaledFor(3, 4, 0) }),
    ];
    const limited = { ...object, spec: { ...object.spec, revisionHistoryLimit: 2 } };
    const first = decided(limited, sets);
    expect(shown(first.actions)).toEqual(['status']);
    const settled = sets.filter(({ metadata }) => metadata!.name !== 'busy');
    const complete = written(decided(limited, settled).actions);
    expect(shown(decided(complete, settled).actions)).toEqual(['delete r1', 'delete r3']);
  });
});

describe('the conditions of a rollout', () => {
  const current = (available: number, actual = 3) =>
    replicaSet('new', { image: 'v2', actual, available, annotations: scaledFor(3, 4) });
  const progress = (rest: Partial<Deployment>, set: ReplicaSet, now = NOW) =>
    condition(
      written(decided(deployment({ template: template('v2') }, rest), [set], {}, now).actions),
      'Progressing',
    );

  it('renew the time of the update with progress, and keep that of the transition', () =>
    expect(progress(withCondition('ReplicaSetUpdated', 'True', 60), current(1))).toMatchObject({
      reason: 'ReplicaSetUpdated',
      message: 'ReplicaSet "new" is progressing.',
      lastUpdateTime: formatTime(NOW),
      lastTransitionTime: formatTime(NOW - 60_000),
    }));

  it('time out after the deadline without progress', () => {
    const known = withCondition('ReplicaSetUpdated', 'True', 601);
    const rest = { status: { ...known.status, updatedReplicas: 3, replicas: 3 } };
    expect(progress(rest, current(0))).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
      message: 'ReplicaSet "new" has timed out progressing.',
    });
    const later = decided(deployment({ template: template('v2') }, rest), [current(0)], {}, NOW + 60_000);
    expect(later.again).toBeUndefined();
  });

  it('are looked at again after the deadline', () => {
    const first = decided(deployment({ template: template('v2') }, withCondition('ReplicaSetUpdated')), [
      current(0),
    ]);
    const second = decided(written(first.actions), [current(0)]);
    expect(second).toEqual({ actions: [], again: 601_000 });
  });

  it('never time out once complete', () => {
    const known = withCondition('NewReplicaSetAvailable', 'True', 10_000);
    expect(progress(known, current(2))?.reason).toBe('NewReplicaSetAvailable');
  });

  it('say whether enough Pods are available', () => {
    const availability = (available: number) =>
      condition(
        written(
          decided(deployment({ replicas: 4, template: template('v2') }, {}), [
            replicaSet('new', { image: 'v2', replicas: 4, available, annotations: scaledFor(4, 5) }),
          ]).actions,
        ),
        'Available',
      );
    expect(availability(3)).toMatchObject({ status: 'True', reason: 'MinimumReplicasAvailable' });
    expect(availability(2)).toMatchObject({ status: 'False', reason: 'MinimumReplicasUnavailable' });
  });

  it('have the failure of a set, until it has none', () => {
    const failure = {
      type: 'ReplicaFailure',
      status: 'True',
      reason: 'FailedCreate',
      message: 'quota',
      lastTransitionTime: formatTime(NOW),
    };
    const failing = current(0, 0);
    failing.status!.conditions = [failure];
    const first = written(decided(deployment({ template: template('v2') }), [failing]).actions);
    expect(condition(first, 'ReplicaFailure')).toEqual({ ...failure, lastUpdateTime: formatTime(NOW) });
    expect(condition(written(decided(first, [current(0, 0)]).actions), 'ReplicaFailure')).toBeUndefined();
  });
});

describe('a Deployment that is recreated', () => {
  const object = deployment({ template: template('v2'), strategy: { type: 'Recreate' } });
  const old = (replicas: number, actual = replicas) =>
    replicaSet('old', { replicas, actual, annotations: scaledFor(3, 3) });

  it('ends all old Pods first, also those that are terminating', () => {
    expect(shown(decided(object, [old(3)]).actions)).toEqual(['old 3>0', 'status']);
    expect(shown(decided(object, [old(0, 1)]).actions)).toEqual(['status']);
    const terminating = { old: [pod('p', { deleted: true })] };
    expect(shown(decided(object, [old(0)], terminating).actions)).toEqual(['status']);
    const finished = { old: [pod('p', { phase: 'Failed' })] };
    expect(shown(decided(object, [old(0)], finished).actions)).toEqual(['create 3']);
  });

  it('scales the new set at once', () =>
    expect(
      shown(
        decided(object, [
          old(0),
          replicaSet('new', { image: 'v2', replicas: 0, annotations: scaledFor(3, 3, 2) }),
        ]).actions,
      ),
    ).toEqual(['new 0>3', 'status']));
});

describe('a rollback by annotation', () => {
  const asking = (revision: number) =>
    deployment(
      { template: template('v2') },
      {
        metadata: {
          ...deployment().metadata,
          annotations: { 'deprecated.deployment.rollback.rollback-to': String(revision), keep: 'x' },
        },
      },
    );
  const sets = [
    replicaSet('a', { annotations: { ...scaledFor(3, 4, 1), theirs: 'y' } }),
    replicaSet('b', { image: 'v2', annotations: scaledFor(3, 4, 2) }),
  ];

  it.each([0, 1])('to revision %d takes its template and annotations', (revision) => {
    const { actions } = decided(asking(revision), sets);
    expect(shown(actions)).toEqual(['respecify', 'Normal DeploymentRollback']);
    expect(written(actions).spec!.template).toEqual(template('v1'));
    expect(written(actions).metadata!.annotations).toEqual({ theirs: 'y' });
  });

  it('to what it has, or to nothing, only removes the annotation', () => {
    expect(shown(decided(asking(2), sets).actions)).toEqual([
      'Warning DeploymentRollbackTemplateUnchanged',
      'respecify',
    ]);
    expect(shown(decided(asking(7), sets).actions)).toEqual([
      'Warning DeploymentRollbackRevisionNotFound',
      'respecify',
    ]);
    const { actions } = decided(asking(0), []);
    expect(shown(actions)).toEqual(['Warning DeploymentRollbackRevisionNotFound', 'respecify']);
    expect(written(actions).metadata!.annotations).toEqual({ keep: 'x' });
  });
});
