import { describe, expect, it } from 'vitest';
import { imageTag } from '../../../../src/registry/builtin/core/pods/image-reference.ts';
import { setPodTemplateDefaults } from '../../../../src/registry/builtin/core/pods/pod-spec-defaults.ts';
import { podStrategy } from '../../../../src/registry/builtin/core/pods/pod-strategy.ts';
import type { Pod } from '../../../../src/registry/builtin/core/pods/pod-types.ts';
import { qualityOfService } from '../../../../src/registry/builtin/core/pods/quality-of-service.ts';
import { created, defaulted } from '../run-strategy.ts';

const container = { name: 'c', image: 'i' };
const specOf = (spec: object): NonNullable<Pod['spec']> =>
  (defaulted(podStrategy, { spec: { containers: [container], ...spec } }) as Pod).spec!;

describe('defaults of pods', () => {
  it('completes the smallest pod', () => {
    expect(specOf({})).toEqual({
      containers: [
        {
          ...container,
          imagePullPolicy: 'Always',
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
        },
      ],
      dnsPolicy: 'ClusterFirst',
      enableServiceLinks: true,
      restartPolicy: 'Always',
      schedulerName: 'default-scheduler',
      securityContext: {},
      terminationGracePeriodSeconds: 30,
    });
  });

  it('leaves to pods what templates don’t say', () => {
    const template: Parameters<typeof setPodTemplateDefaults>[0] = {
      spec: {
        hostNetwork: true,
        containers: [{ ...container, ports: [{ containerPort: 80 }], resources: { limits: { cpu: '1' } } }],
      },
    };
    setPodTemplateDefaults(template);
    expect(template.spec?.enableServiceLinks).toBeUndefined();
    expect(template.spec?.containers?.[0]).toMatchObject({
      ports: [{ containerPort: 80, protocol: 'TCP' }],
      resources: { limits: { cpu: '1' } },
    });
    expect(template.spec?.containers?.[0]?.resources?.requests).toBeUndefined();
  });

  it('requests what is limited, and gives host ports on the host’s network', () => {
    const spec = specOf({
      hostNetwork: true,
      containers: [
        {
          ...container,
          ports: [{ containerPort: 80 }],
          resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '500m' } },
        },
      ],
    });
    expect(spec.containers?.[0]?.resources?.requests).toEqual({ cpu: '500m', memory: '1Gi' });
    expect(spec.containers?.[0]?.ports).toEqual([{ containerPort: 80, hostPort: 80, protocol: 'TCP' }]);
  });

  it('fills in probes, hooks and references', () => {
    const { livenessProbe, startupProbe, lifecycle, env } = specOf({
      containers: [
        {
          ...container,
          livenessProbe: { httpGet: { port: 80 } },
          startupProbe: { grpc: { port: 1 } },
          lifecycle: { preStop: { httpGet: { port: 'web' } } },
          env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
        },
      ],
    }).containers![0]!;
    expect(livenessProbe).toEqual({
      httpGet: { path: '/', port: 80, scheme: 'HTTP' },
      failureThreshold: 3,
      periodSeconds: 10,
      successThreshold: 1,
      timeoutSeconds: 1,
    });
    expect(startupProbe).toMatchObject({ grpc: { port: 1, service: '' } });
    expect(lifecycle).toEqual({ preStop: { httpGet: { path: '/', port: 'web', scheme: 'HTTP' } } });
    expect(env).toEqual([
      { name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
    ]);
  });

  it('fills in volumes; one without a source is an empty directory', () => {
    const { volumes } = specOf({
      volumes: [
        { name: 'a' },
        { name: 'b', secret: { secretName: 's' } },
        { name: 'c', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
        { name: 'd', hostPath: { path: '/x' } },
        { name: 'e', ephemeral: { volumeClaimTemplate: {} } },
      ],
    });
    expect(volumes).toEqual([
      { name: 'a', emptyDir: {} },
      { name: 'b', secret: { secretName: 's', defaultMode: 420 } },
      {
        name: 'c',
        projected: {
          defaultMode: 420,
          sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }],
        },
      },
      { name: 'd', hostPath: { path: '/x', type: '' } },
      { name: 'e', ephemeral: { volumeClaimTemplate: { spec: { volumeMode: 'Filesystem' } } } },
    ]);
  });

  it('gives the account both of its names, the new one first', () => {
    expect(specOf({ serviceAccount: 'old' })).toMatchObject({
      serviceAccount: 'old',
      serviceAccountName: 'old',
    });
    expect(specOf({ serviceAccount: 'old', serviceAccountName: 'new' })).toMatchObject({
      serviceAccount: 'new',
      serviceAccountName: 'new',
    });
  });

  it('makes a negative grace period one second, of pods only', () => {
    expect(specOf({ terminationGracePeriodSeconds: -5 }).terminationGracePeriodSeconds).toBe(1);
    expect(specOf({ terminationGracePeriodSeconds: 0 }).terminationGracePeriodSeconds).toBe(0);
  });

  it('keeps one address and the list of addresses together', () => {
    expect(defaulted(podStrategy, { status: { podIP: '192.0.2.9' } })).toMatchObject({
      status: { podIP: '192.0.2.9', podIPs: [{ ip: '192.0.2.9' }] },
    });
    expect(
      defaulted(podStrategy, { status: { podIP: '192.0.2.9', podIPs: [{ ip: '192.0.2.1' }] } }),
    ).toMatchObject({
      status: { podIPs: [{ ip: '192.0.2.9' }] },
    });
  });
});

describe('tags of images', () => {
  it.each([
    ['image', 'latest'],
    ['image:latest', 'latest'],
    ['image:1', '1'],
    ['registry.test:5000/image', 'latest'],
    ['registry.test:5000/a/b:v1', 'v1'],
    [`image@sha256:${'a'.repeat(64)}`, ''],
    [`image:v1@sha256:${'a'.repeat(64)}`, 'v1'],
    ['Image', ''],
    ['Registry/image', 'latest'],
    ['localhost/image', 'latest'],
    ['', ''],
    ['a'.repeat(64), ''],
    ['a b', ''],
    ['x/', ''],
  ])('%s: %s', (image, tag) => {
    expect(imageTag(image)).toBe(tag);
  });
});

describe('quality of service', () => {
  const of = (...resources: object[]) =>
    qualityOfService({ containers: resources.map((one) => ({ ...container, resources: one })) });
  it('is decided by requests and limits of time and memory', () => {
    expect(of({}, {})).toBe('BestEffort');
    expect(of({ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1000m', memory: '1024Mi' } })).toBe(
      'Guaranteed',
    );
    expect(of({ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } }, {})).toBe(
      'Burstable',
    );
    expect(of({ limits: { cpu: '1' }, requests: { cpu: '1' } })).toBe('Burstable');
    expect(of({ requests: { cpu: '0' } })).toBe('BestEffort');
    expect(of({ limits: { 'ephemeral-storage': '1Gi' } })).toBe('BestEffort');
  });
});

describe('a new pod', () => {
  const make = (object: object): Pod => created(podStrategy, object).object as Pod;

  it('starts pending, whatever status it was sent with', () => {
    expect(make({ spec: { containers: [container] }, status: { phase: 'Running' } }).status).toEqual({
      phase: 'Pending',
      qosClass: 'BestEffort',
    });
  });

  it('is held back by gates, and says so', () => {
    expect(
      make({ spec: { containers: [container], schedulingGates: [{ name: 'a/b' }] } }).status?.conditions,
    ).toEqual([
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ]);
  });

  it('forgets what belongs to features that are off, mounts of such volumes too', () => {
    const { spec } = make({
      spec: {
        hostUsers: false,
        volumes: [{ name: 'v', image: { reference: 'r' } }, { name: 'w' }],
        containers: [
          {
            ...container,
            resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
            volumeMounts: [
              { name: 'v', mountPath: '/v' },
              { name: 'w', mountPath: '/w' },
            ],
          },
        ],
      },
    });
    expect(spec?.hostUsers).toBeUndefined();
    expect(spec?.volumes).toEqual([{ name: 'w', emptyDir: {} }]);
    expect(spec?.containers?.[0]?.volumeMounts).toEqual([{ name: 'w', mountPath: '/w' }]);
    expect(spec?.containers?.[0]).not.toHaveProperty('resizePolicy');
  });

  it('keeps AppArmor profiles in fields and annotations alike', () => {
    const key = 'container.apparmor.security.beta.kubernetes.io/c';
    expect(
      make({
        spec: {
          containers: [{ ...container, securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } }],
        },
      }).metadata?.annotations,
    ).toEqual({
      [key]: 'runtime/default',
    });
    expect(
      make({ metadata: { annotations: { [key]: 'localhost/mine' } }, spec: { containers: [container] } }).spec
        ?.containers?.[0]?.securityContext,
    ).toEqual({
      appArmorProfile: { type: 'Localhost', localhostProfile: 'mine' },
    });
  });

  it('turns label keys of affinity terms into requirements', () => {
    const { spec } = make({
      metadata: { labels: { version: '7' } },
      spec: {
        containers: [container],
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'zone', labelSelector: {}, matchLabelKeys: ['version', 'absent'] },
            ],
          },
        },
      },
    });
    expect(
      spec?.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.[0]?.labelSelector,
    ).toEqual({
      matchExpressions: [{ key: 'version', operator: 'In', values: ['7'] }],
    });
  });

  it('is deleted at once while nobody runs it, and with its grace otherwise', () => {
    const grace = (spec: object, status: object, requested?: number) =>
      podStrategy.gracePeriodSeconds!({ spec, status } as never, requested);
    expect(grace({ terminationGracePeriodSeconds: 30 }, {})).toBe(0);
    expect(grace({ nodeName: 'n', terminationGracePeriodSeconds: 30 }, {})).toBe(30);
    expect(grace({ nodeName: 'n', terminationGracePeriodSeconds: 30 }, {}, 5)).toBe(5);
    expect(grace({ nodeName: 'n', terminationGracePeriodSeconds: 30 }, {}, -5)).toBe(1);
    expect(grace({ nodeName: 'n' }, { phase: 'Succeeded' }, 5)).toBe(0);
  });
});
