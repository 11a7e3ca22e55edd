import { describe, expect, it } from 'vitest';
import { IN_PLACE_RESIZE } from '../../../../src/kinds/core/pods/pod-spec-defaults.ts';
import { createPodStrategy } from '../../../../src/kinds/core/pods/pod-strategy.ts';
import type { Pod } from '../../../../src/model/generated/core-v1.ts';
import type { KubernetesObject } from '../../../../src/model/object.ts';
import { podStrategy } from '../../../support/builtin-resources.ts';
import { contextOf, created, defaulted, errorsOf, updated } from '../../run-strategy.ts';

const isOn = (gate: string): boolean => gate === IN_PLACE_RESIZE;
const context = contextOf({ isOn });
const resizablePodStrategy = createPodStrategy(context);
const resizing = contextOf({ isOn, subresource: 'resize' });
const policy = (resourceName: string, restartPolicy = 'NotRequired') => ({ resourceName, restartPolicy });
const container = (resources?: object, more: object = {}) => ({ name: 'c', image: 'i', resources, ...more });
const amounts = (cpu: string, memory = '1Gi') => ({ cpu, memory });
const BURSTABLE = container({ requests: amounts('1') });

type Changes = { readonly spec?: object; readonly metadata?: object; readonly status?: object };

const podOf = (containers: object[], { spec, metadata, status }: Changes = {}) => ({
  metadata: { name: 'x', namespace: 'n', uid: 'u', ...metadata },
  spec: { containers, ...spec },
  ...(status === undefined ? {} : { status }),
});

/** The stored pod. */
function stored(containers: object[], changes: Changes = {}): KubernetesObject {
  const { object, errors } = created(resizablePodStrategy, podOf(containers, changes), context);
  expect(errors).toEqual([]);
  Object.assign(object['status'] as object, changes.status);
  return object;
}

/** Resizes a stored pod. */
const resize = (old: KubernetesObject, containers: object[], changes: Changes = {}) =>
  updated(resizablePodStrategy, podOf(containers, changes), old, resizing);

/** The errors of a resize of a burstable pod to twice its CPU. */
const errorsOfResize = (changes: Changes): string[] =>
  resize(stored([BURSTABLE], changes), [container({ requests: amounts('2') })]).errors;

describe('the defaults of resizable pods', () => {
  const policiesOf = (...containers: object[]) =>
    (defaulted(resizablePodStrategy, podOf(containers)) as Pod).spec!.containers!.map(
      ({ resizePolicy }) => resizePolicy,
    );

  it('name a policy for the CPU and memory that a container requests', () => {
    expect(policiesOf(BURSTABLE)).toEqual([[policy('cpu'), policy('memory')]]);
    expect(policiesOf(container({ limits: { memory: '1', cpu: '1' } }))).toEqual([
      [policy('cpu'), policy('memory')],
    ]);
    expect(
      policiesOf(
        container({ requests: amounts('1') }, { resizePolicy: [policy('memory', 'RestartContainer')] }),
      ),
    ).toEqual([[policy('memory', 'RestartContainer'), policy('cpu')]]);
    expect(policiesOf(container(), container({ requests: { 'ephemeral-storage': '1' } }))).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('leave init containers, and all containers without the gate', () => {
    const { spec } = defaulted(
      resizablePodStrategy,
      podOf([container()], { spec: { initContainers: [{ ...BURSTABLE, name: 'i' }] } }),
    ) as Pod;
    expect(spec!.initContainers![0]).not.toHaveProperty('resizePolicy');
    expect((defaulted(podStrategy, podOf([BURSTABLE])) as Pod).spec!.containers![0]).not.toHaveProperty(
      'resizePolicy',
    );
  });
});

describe('a resize', () => {
  it('takes resources and resize policies, by the names of the containers', () => {
    const old = stored([BURSTABLE, { ...BURSTABLE, name: 'd' }], { metadata: { labels: { a: 'b' } } });
    const { object, errors } = resize(
      old,
      [
        { name: 'other', image: 'i' },
        container(
          { requests: amounts('2'), limits: amounts('3') },
          { image: 'j', resizePolicy: [policy('cpu', 'RestartContainer')] },
        ),
      ],
      {
        metadata: { labels: { dropped: 'yes' } },
        spec: { nodeName: 'dropped' },
        status: { phase: 'Failed' },
      },
    );
    expect(errors).toEqual([]);
    const [first, second] = (old as Pod).spec!.containers!;
    expect(object['spec']).toEqual({
      ...(old['spec'] as object),
      containers: [
        {
          ...first,
          resources: { requests: amounts('2'), limits: amounts('3') },
          resizePolicy: [policy('cpu', 'RestartContainer'), policy('memory')],
        },
        second,
      ],
    });
    expect(object.metadata).toEqual(old.metadata);
    expect(object['status']).toEqual({ phase: 'Pending', qosClass: 'Burstable', resize: 'Proposed' });
  });

  it.each<[string, object | undefined, object | undefined, boolean]>([
    ['the same amounts in another form', { requests: { cpu: '1' } }, { requests: { cpu: '1000m' } }, false],
    ['another amount', { requests: { cpu: '1' } }, { requests: { cpu: '2' } }, true],
    [
      'an empty list instead of none',
      { requests: { cpu: '1' } },
      { requests: { cpu: '1' }, limits: {} },
      true,
    ],
    ['nothing', undefined, undefined, false],
    ['empty requests instead of none', undefined, { requests: {} }, true],
    ['empty limits, without requests', undefined, {}, false],
  ])('is proposed by the amounts: %s', (_, before, resources, isProposed) => {
    const { object } = resize(stored([container(before)]), [container(resources)]);
    expect((object['status'] as { resize?: string }).resize).toBe(isProposed ? 'Proposed' : undefined);
  });

  it('is proposed by claims that are dropped', () => {
    const claims = [{ name: 'x' }];
    const { object } = resize(stored([BURSTABLE]), [container({ requests: amounts('1'), claims })]);
    expect((object as Pod).status!.resize).toBe('Proposed');
    expect((object as Pod).spec!.containers![0]!.resources).toEqual({ requests: amounts('1') });
  });

  it('keeps the state of an earlier one when nothing changes', () => {
    const old = stored([BURSTABLE], { status: { resize: 'Infeasible' } });
    expect((resize(old, [BURSTABLE]).object as Pod).status!.resize).toBe('Infeasible');
  });

  it('of pods with resources of their own, static pods and Windows pods is forbidden, whatever else is wrong', () => {
    const old = stored([BURSTABLE]) as Pod;
    const errors = (changes: Changes) =>
      resize({ ...old, ...podOf(old.spec!.containers!, changes) } as KubernetesObject, [container()]).errors;
    const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } };
    expect(errors({ spec: { resources: { limits: { cpu: '1' } } }, metadata: mirror })).toEqual([
      '[]: Forbidden: pods with pod-level resources cannot be resized',
    ]);
    expect(errors({ metadata: mirror, spec: { os: { name: 'windows' } } })).toEqual([
      '[]: Forbidden: static pods cannot be resized',
    ]);
    expect(errors({ spec: { os: { name: 'windows' } } })).toEqual([
      '[]: Forbidden: windows pods cannot be resized',
    ]);
  });

  it('may not change the quality of service, which the status says first', () => {
    const text = (quality: string) =>
      `spec: Invalid value: "${quality}": Pod QOS Class may not change as a result of resizing`;
    expect(resize(stored([container()]), [BURSTABLE]).errors).toEqual([text('BestEffort')]);
    expect(
      resize(stored([BURSTABLE]), [container({ requests: amounts('1'), limits: amounts('1') })]).errors,
    ).toEqual([text('Burstable')]);
    expect(errorsOfResize({ status: { qosClass: 'Guaranteed' } })).toEqual([text('Guaranteed')]);
  });

  it('needs the resources in the status of the first running container', () => {
    const running = { state: { running: {} } };
    const errors = (...containerStatuses: object[]) => errorsOfResize({ status: { containerStatuses } });
    const refused = ['spec: Forbidden: Pod running on node without support for resize'];
    expect(errors({ name: 'c', ...running })).toEqual(refused);
    expect(errors({ name: 'c', ...running, resources: {} })).toEqual([]);
    expect(errors({ name: 'c', state: { waiting: {} } })).toEqual([]);
    expect(
      errors({ name: 'a' }, { name: 'c', ...running, resources: {} }, { name: 'd', ...running }),
    ).toEqual([]);
  });

  it('may not remove amounts', () => {
    const old = stored([container({ requests: amounts('1'), limits: { cpu: '2' } })]);
    expect(resize(old, [container({ requests: { cpu: '1' }, limits: { cpu: '2' } })]).errors).toEqual([
      'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
    ]);
    expect(resize(old, [container({ requests: amounts('1') })]).errors).toEqual([
      'spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
    ]);
  });

  it('changes only CPU and memory in a list of amounts, but may add a list', () => {
    const [error] = resize(stored([BURSTABLE]), [
      container({ requests: { ...amounts('1'), 'ephemeral-storage': '1' } }),
    ]).errors;
    expect(error).toMatch(
      /^spec: Forbidden: only cpu and memory resources are mutable\n {2}core\.PodSpec\{\n/,
    );
    expect(
      resize(stored([container()]), [container({ requests: { 'ephemeral-storage': '1' } })]).errors,
    ).toEqual([]);
    expect(
      resize(stored([BURSTABLE]), [container({ requests: amounts('1'), limits: { cpu: '3' } })]).errors,
    ).toEqual([]);
  });
});

describe('resize policies', () => {
  const errors = (resizePolicy: object[], restartPolicy = 'Always') =>
    errorsOf(
      resizablePodStrategy,
      podOf([container({}, { resizePolicy })], { spec: { restartPolicy } }),
      context,
    );
  const field = 'spec.containers[0].resizePolicy';

  it('name CPU or memory once, with a known restart', () => {
    expect(errors([policy('cpu'), policy('memory', 'RestartContainer')])).toEqual([]);
    expect(errors([policy('gpu', 'X'), { resourceName: 'gpu' }, { restartPolicy: 'NotRequired' }])).toEqual([
      `${field}: Unsupported value: gpu: supported values: "cpu", "memory"`,
      `${field}: Unsupported value: "X": supported values: "NotRequired", "RestartContainer"`,
      `${field}[1]: Duplicate value: gpu`,
      `${field}: Unsupported value: gpu: supported values: "cpu", "memory"`,
      `${field}: Required value`,
      `${field}: Required value`,
    ]);
  });

  it('restart nothing in pods that never restart', () => {
    expect(errors([policy('cpu', 'RestartContainer'), policy('memory')], 'Never')).toEqual([
      `${field}: Invalid value: "RestartContainer": must be 'NotRequired' when \`restartPolicy\` is 'Never'`,
    ]);
  });

  it('are refused in init containers, unless a stored sidecar has them', () => {
    const sidecar = {
      ...container({}, { resizePolicy: [policy('cpu')] }),
      name: 's',
      restartPolicy: 'Always',
    };
    const pod = podOf([container()], { spec: { initContainers: [sidecar] } });
    const { object, errors: refused } = created(resizablePodStrategy, pod, context);
    expect(refused).toEqual([
      'spec.initContainers[0].resizePolicy: Invalid value: []core.ContainerResizePolicy{core.ContainerResizePolicy{ResourceName:"cpu", RestartPolicy:"NotRequired"}}: must not be set for init containers',
    ]);
    expect(updated(resizablePodStrategy, pod, object, context).errors).toEqual([]);
  });
});
