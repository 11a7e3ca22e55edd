import { describe, expect, it } from 'vitest';
import { replicationControllerStrategy } from '../../../src/kinds/core/replication-controller.ts';
import { type KubernetesObject, RawJson } from '../../../src/model/object.ts';
import { loadScheme } from '../../../src/model/scheme.ts';
import { formatFieldError } from '../../../src/status/field-error.ts';
import { strategiesOf } from '../../support/builtin-resources.ts';
import { contextOf, created, defaulted, errorsOf, updated } from '../run-strategy.ts';

const strategies = strategiesOf('apps');

const container = { name: 'c', image: 'i' };
const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [container] } };
const selector = { matchLabels: { app: 'x' } };
const { deployments, daemonsets, statefulsets, replicasets, controllerrevisions } = strategies as Required<
  typeof strategies
>;
const specOf = (object: KubernetesObject): Record<string, unknown> =>
  object['spec'] as Record<string, unknown>;
const withoutTemplate = (object: KubernetesObject): object => ({ ...specOf(object), template: undefined });

describe('deployment strategy', () => {
  const errors = (spec: object): string[] =>
    errorsOf(deployments!, { spec: { selector, template, ...spec } });

  it('defaults the strategy to RollingUpdate with 25%', () => {
    expect(withoutTemplate(defaulted(deployments!, { spec: { selector, template } }))).toEqual({
      selector,
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    });
    expect(
      specOf(
        defaulted(deployments!, {
          spec: { selector, template, replicas: 0, strategy: { type: 'Recreate' } },
        }),
      ),
    ).toMatchObject({
      replicas: 0,
      strategy: { type: 'Recreate' },
    });
    expect(specOf(defaulted(deployments!, {}))).toMatchObject({
      template: { spec: { restartPolicy: 'Always' } },
    });
  });

  it.each<[string, object, string[]]>([
    [
      'no selector',
      { selector: undefined },
      [
        'spec.selector: Required value',
        'spec.template.metadata.labels: Invalid value: map[string]string{"app":"x"}: `selector` does not match template `labels`',
      ],
    ],
    [
      'an empty selector',
      { selector: {} },
      [
        'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: empty selector is invalid for deployment',
      ],
    ],
    [
      'no template',
      { template: undefined },
      [
        'spec.template.metadata.labels: Invalid value: map[string]string(nil): `selector` does not match template `labels`',
        'spec.template.spec.containers: Required value',
      ],
    ],
    [
      'maxSurge and maxUnavailable of zero',
      { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
      [
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: intstr.IntOrString{Type:0, IntVal:0, StrVal:""}: may not be 0 when `maxSurge` is 0',
      ],
    ],
    [
      'Recreate with rollingUpdate',
      { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } },
      ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
    ],
    [
      'an unknown strategy',
      { strategy: { type: 'BlueGreen' } },
      [
        'spec.strategy: Unsupported value: apps.DeploymentStrategy{Type:"BlueGreen", RollingUpdate:(*apps.RollingUpdateDeployment)(nil)}: supported values: "Recreate", "RollingUpdate"',
      ],
    ],
    [
      'a progress deadline not above minReadySeconds',
      { minReadySeconds: 600 },
      ['spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds'],
    ],
    [
      'pods that terminate',
      {
        template: {
          ...template,
          spec: { containers: [container], restartPolicy: 'Never', activeDeadlineSeconds: 5 },
        },
      },
      [
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
      ],
    ],
    [
      'ephemeral containers',
      {
        template: {
          ...template,
          spec: { containers: [container], ephemeralContainers: [{ name: 'e', image: 'x' }] },
        },
      },
      ['spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template'],
    ],
  ])('rejects %s', (_case, spec, expected) => {
    expect(errors(spec)).toEqual(expected);
  });

  it('rejects a change of the selector', () => {
    const { object } = created(deployments!, { spec: { selector, template } });
    const other = { matchLabels: { app: 'y' } };
    expect(
      updated(
        deployments!,
        { spec: { selector: other, template: { ...template, metadata: { labels: { app: 'y' } } } } },
        object,
      ).errors,
    ).toEqual([
      'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"y"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: field is immutable',
    ]);
  });

  it('increments the generation for annotations but not for labels', () => {
    const { object } = created(deployments!, { spec: { selector, template } });
    const changed = (metadata: object, spec: object = {}): boolean =>
      deployments!.generationChanged!(
        {
          ...object,
          metadata: { ...object.metadata, ...metadata },
          spec: { ...specOf(object), ...spec },
        } as KubernetesObject,
        object,
      );
    expect([
      changed({}),
      changed({ labels: { a: 'b' } }),
      changed({ annotations: { a: 'b' } }),
      changed({}, { replicas: 2 }),
      changed({}, { paused: false }),
    ]).toEqual([false, false, true, true, false]);
  });

  it('validates replica counts and keeps labels and specification on a status update', () => {
    const { object } = created(deployments!, {
      metadata: { labels: { own: 'label' } },
      spec: { selector, template },
    });
    const result = updated(
      deployments!,
      {
        ...object,
        metadata: { labels: {}, annotations: { a: 'b' } },
        spec: {},
        status: { replicas: 1, readyReplicas: 2, availableReplicas: 3, collisionCount: -1 },
      },
      object,
      contextOf({ subresource: 'status' }),
    );
    expect(result.object).toMatchObject({
      metadata: { labels: { own: 'label' }, annotations: { a: 'b' } },
      spec: { replicas: 1 },
    });
    expect(result.errors).toEqual([
      'status.collisionCount: Invalid value: -1: must be greater than or equal to 0',
      'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 3: cannot be greater than readyReplicas',
    ]);
  });

  it('formats the selector for the scale subresource', () => {
    const { object } = created(deployments!, {
      spec: { selector: { ...selector, matchExpressions: [{ key: 'a', operator: 'Exists' }] }, template },
    });
    expect(deployments!.scale?.selector(object)).toBe('a,app=x');
  });
});

describe('daemon set strategy', () => {
  const make = (spec: object = {}, metadata: object = {}): KubernetesObject =>
    created(daemonsets!, { metadata, spec: { selector, template, ...spec } }).object;
  const KEY = 'deprecated.daemonset.template.generation';

  it('counts template changes in an annotation that clients cannot change', () => {
    const object = make();
    expect(object.metadata?.annotations).toEqual({ [KEY]: '1' });
    const same = updated(daemonsets!, { spec: { selector, template, minReadySeconds: 3 } }, object).object;
    expect(same.metadata?.annotations).toEqual({ [KEY]: '1' });
    const changed = updated(
      daemonsets!,
      {
        metadata: { annotations: { [KEY]: '9' } },
        spec: { selector, template: { ...template, spec: { containers: [{ ...container, image: 'j' }] } } },
      },
      object,
    ).object;
    expect(changed.metadata?.annotations).toEqual({ [KEY]: '2' });
  });

  it.each<[string, object, string[]]>([
    [
      'no selector',
      { selector: undefined },
      [
        'spec.template.metadata.labels: Invalid value: map[string]string{"app":"x"}: `selector` does not match template `labels`',
      ],
    ],
    [
      'maxUnavailable and maxSurge of zero',
      { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } },
      ['spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0'],
    ],
    [
      'maxUnavailable together with maxSurge',
      { updateStrategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: '10%' } } },
      [
        'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"10%"}: may not be set when maxUnavailable is non-zero',
      ],
    ],
  ])('rejects %s', (_case, spec, expected) => {
    expect(errorsOf(daemonsets!, { spec: { selector, template, ...spec } })).toEqual(expected);
  });
});

describe('stateful set strategy', () => {
  const claim = {
    metadata: { name: 'v' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };

  it('sets defaults, also in claim templates', () => {
    expect(
      withoutTemplate(
        defaulted(statefulsets!, {
          spec: { selector, template, volumeClaimTemplates: [{ ...claim, kind: 'Other' }] },
        }),
      ),
    ).toEqual({
      selector,
      podManagementPolicy: 'OrderedReady',
      replicas: 1,
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'v' },
          spec: { ...claim.spec, volumeMode: 'Filesystem' },
          status: { phase: 'Pending' },
        },
      ],
    });
  });

  it('rejects changes of immutable members', () => {
    const { object } = created(statefulsets!, { spec: { selector, template, serviceName: 's' } });
    expect(
      updated(
        statefulsets!,
        { spec: { selector, template, serviceName: 's', replicas: 3, minReadySeconds: 1 } },
        object,
      ).errors,
    ).toEqual([]);
    expect(updated(statefulsets!, { spec: { selector, template, serviceName: 't' } }, object).errors).toEqual(
      [
        expect.stringMatching(
          /^spec: Forbidden: updates to statefulset spec for fields other than 'replicas'/,
        ),
      ],
    );
  });

  it.each([
    ['1.36', 'spec'],
    ['1.37', 'spec.serviceName'],
  ] as const)('reports changes of immutable members in %s at %s', async (minor, field) => {
    const { object } = created(statefulsets!, { spec: { selector, template, serviceName: 's' } });
    const { has, isOnByDefault: isOn } = await loadScheme(minor);
    const change = { spec: { selector, template, serviceName: 't' } };
    const { errors } = updated(statefulsets!, change, object, contextOf({ has, isOn }));
    expect(errors.map((text) => text.slice(0, text.indexOf(':')))).toEqual([field]);
  });

  it('rejects unknown policies', () => {
    expect(
      errorsOf(statefulsets!, {
        spec: {
          selector,
          template,
          podManagementPolicy: 'Any',
          updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } },
        },
      }),
    ).toEqual([
      "spec.podManagementPolicy: Invalid value: \"Any\": must be 'OrderedReady' or 'Parallel'",
      `spec.updateStrategy.rollingUpdate: Invalid value: apps.RollingUpdateStatefulSetStrategy{Partition:1, MaxUnavailable:(*intstr.IntOrString)(nil)}: only allowed for updateStrategy 'RollingUpdate'`,
    ]);
  });

  it('does not validate the pod specification, which can mount claim templates', () => {
    const containers = [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/v' }] }];
    const spec = { selector, template: { ...template, spec: { containers } }, volumeClaimTemplates: [claim] };
    const first = created(statefulsets!, { spec });
    expect(first.errors).toEqual([]);
    expect(updated(statefulsets!, { spec }, first.object).errors).toEqual([]);
    expect(
      errorsOf(statefulsets!, { spec: { selector, template: { metadata: template.metadata } } }),
    ).toEqual([]);
  });

  it('validates labels, annotations, restart policy and deadline of the template', () => {
    const metadata = { labels: { app: 'x', l: 'a b' }, annotations: { 'a b': '' } };
    const pods = { containers: [], restartPolicy: 'Never', activeDeadlineSeconds: 1 };
    expect(errorsOf(statefulsets!, { spec: { selector, template: { metadata, spec: pods } } })).toEqual([
      expect.stringMatching(/^spec\.template\.labels: Invalid value: "a b"/),
      expect.stringMatching(/^spec\.template\.annotations: Invalid value: "a b"/),
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
      'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported',
    ]);
  });

  it('rejects a name that is not a DNS label', () => {
    expect(statefulsets!.metadata!.validateName!('a.b', false)).toEqual(['must not contain dots']);
  });
});

describe('template warnings', () => {
  const odd = { ...template, spec: { containers: [container], terminationGracePeriodSeconds: -1 } };
  const text =
    'spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1';
  const set = (generation: number, pods: object = odd): KubernetesObject => ({
    metadata: { name: 'x', generation },
    spec: { selector, template: pods },
  });

  it('are returned at creation and for each new generation', () => {
    for (const strategy of [deployments!, replicasets!, statefulsets!]) {
      expect(strategy.warnings!(set(1), undefined, contextOf())).toEqual([text]);
      expect(strategy.warnings!(set(1), set(1), contextOf())).toEqual([]);
      expect(strategy.warnings!(set(2), set(1), contextOf())).toEqual([text]);
    }
  });

  it('describe the old template when a replication controller is updated', () => {
    const { warnings } = replicationControllerStrategy;
    expect(warnings!(set(1), undefined, contextOf())).toEqual([text]);
    expect(warnings!(set(2), set(1, template), contextOf())).toEqual([]);
    expect(warnings!(set(2, template), set(1), contextOf())).toEqual([text]);
  });
});

describe('selectors that cannot be evaluated', () => {
  it.each<[string, object]>([
    ['an invalid key', { matchLabels: { app: 'x', 'a b': 'y' } }],
    ['an invalid value', { matchLabels: { app: 'a b' } }],
    [
      'an invalid value of an expression',
      { matchExpressions: [{ key: 'app', operator: 'In', values: ['a b'] }] },
    ],
  ])('skip the template validation of a deployment: %s', (_case, invalidSelector) => {
    expect(
      errorsOf(deployments!, {
        spec: { selector: invalidSelector, template: { metadata: template.metadata } },
      }),
    ).toEqual([
      expect.stringMatching(/^spec\.selector\.match.*: Invalid value: "a b"/),
      expect.stringMatching(/^spec\.selector: Invalid value: v1\.LabelSelector\{.*: invalid label selector$/),
    ]);
  });
});

describe('replica controllers', () => {
  it('default labels and selector from the template', () => {
    const { object, errors } = created(replicationControllerStrategy, { spec: { template } });
    expect(errors).toEqual([]);
    expect(object).toMatchObject({
      metadata: { labels: { app: 'x' } },
      spec: { replicas: 1, selector: { app: 'x' } },
    });
    expect(replicationControllerStrategy.scale?.selector(object)).toBe('app=x');
    expect(errorsOf(replicationControllerStrategy, { spec: { template: { spec: template.spec } } })).toEqual([
      'spec.selector: Required value',
    ]);
    expect(errorsOf(replicationControllerStrategy, {})).toEqual([
      'spec.selector: Required value',
      'spec.template: Required value',
    ]);
  });

  it('reject negative replicas', () => {
    expect(errorsOf(replicasets!, { spec: { selector, template, replicas: -1 } })).toEqual([
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });
});

describe('controller revision strategy', () => {
  const revision = (text?: string): KubernetesObject =>
    ({
      revision: 1,
      ...(text === undefined ? {} : { data: new RawJson(text) }),
    }) as unknown as KubernetesObject;
  // Strategies are called directly: a copy of the object would lose the `RawJson` class.
  const errorsOfNew = (object: KubernetesObject): string[] =>
    (controllerrevisions!.validate!(object, contextOf()) ?? []).map(formatFieldError);
  const errorsOfUpdate = (object: KubernetesObject, old: KubernetesObject): string[] =>
    controllerrevisions!.validateUpdate!(object, old, contextOf()).map(formatFieldError);

  it('requires data that is a JSON object', () => {
    expect(errorsOf(controllerrevisions!, { revision: -1 })).toEqual([
      'data: Required value: data is mandatory',
      'revision: Invalid value: -1: must be greater than or equal to 0',
    ]);
    expect(errorsOfNew(revision('{"a":1}'))).toEqual([]);
    expect(errorsOfNew(revision('null'))).toEqual(['data: Required value: data is mandatory']);
    for (const text of ['"text"', '[]', '1'])
      expect(errorsOfNew(revision(text)), text).toEqual([
        'data: Required value: data must be a valid JSON object',
      ]);
  });

  it('rejects a change of the data', () => {
    expect(errorsOfUpdate(revision('{"a":1}'), revision('{"a":1}'))).toEqual([]);
    expect(errorsOfUpdate(revision(), revision('{}'))).toEqual([
      'data: Invalid value: runtime.RawExtension{Raw:[]uint8(nil), Object:runtime.Object(nil)}: field is immutable',
    ]);
    expect(errorsOfUpdate(revision('"t"'), revision('{}'))).toEqual([
      'data: Invalid value: runtime.RawExtension{Raw:[]uint8{0x22, 0x74, 0x22}, Object:runtime.Object(nil)}: field is immutable',
    ]);
  });
});
