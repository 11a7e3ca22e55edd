import { describe, expect, it } from 'vitest';
import { imageTag } from '../../../../src/kinds/core/pods/image-reference.ts';
import { setPodTemplateDefaults } from '../../../../src/kinds/core/pods/pod-spec-defaults.ts';
import { qualityOfService } from '../../../../src/kinds/core/pods/quality-of-service.ts';
import type { Pod } from '../../../../src/model/generated/core-v1.ts';
import { podStrategy } from '../../../support/builtin-resources.ts';
import { contextOf, created, defaulted } from '../../run-strategy.ts';

const container = { name: 'c', image: 'i' };
const specOf = (spec: object): NonNullable<Pod['spec']> =>
  (defaulted(podStrategy, { spec: { containers: [container], ...spec } }) as Pod).spec!;

describe('pod defaults', () => {
  it('sets all defaults of a minimal pod', () => {
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

  it('does not set pod-only defaults in templates', () => {
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

  it('defaults requests to limits, and host ports with hostNetwork', () => {
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

  it('defaults probes, hooks and field references', () => {
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

  it('defaults volumes; one without a source becomes emptyDir', () => {
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

  it('mirrors both service account fields; serviceAccountName takes precedence', () => {
    expect(specOf({ serviceAccount: 'old' })).toMatchObject({
      serviceAccount: 'old',
      serviceAccountName: 'old',
    });
    expect(specOf({ serviceAccount: 'old', serviceAccountName: 'new' })).toMatchObject({
      serviceAccount: 'new',
      serviceAccountName: 'new',
    });
  });

  it('defaults a negative grace period to one second', () => {
    expect(specOf({ terminationGracePeriodSeconds: -5 }).terminationGracePeriodSeconds).toBe(1);
    expect(specOf({ terminationGracePeriodSeconds: 0 }).terminationGracePeriodSeconds).toBe(0);
  });

  it('mirrors podIP and podIPs', () => {
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

describe('imageTag', () => {
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
  ])('returns the tag of %s: %s', (image, tag) => {
    expect(imageTag(image)).toBe(tag);
  });
});

describe('qualityOfService', () => {
  const classOf = (...resources: object[]) =>
    qualityOfService({ containers: resources.map((one) => ({ ...container, resources: one })) }, contextOf());
  it('depends on CPU and memory requests and limits', () => {
    expect(classOf({}, {})).toBe('BestEffort');
    expect(
      classOf({ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1000m', memory: '1024Mi' } }),
    ).toBe('Guaranteed');
    expect(classOf({ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } }, {})).toBe(
      'Burstable',
    );
    expect(classOf({ limits: { cpu: '1' }, requests: { cpu: '1' } })).toBe('Burstable');
    expect(classOf({ requests: { cpu: '0' } })).toBe('BestEffort');
    expect(classOf({ limits: { 'ephemeral-storage': '1Gi' } })).toBe('BestEffort');
  });
});

describe('pod creation', () => {
  const make = (object: object): Pod => created(podStrategy, object).object as Pod;

  it('resets the status to phase Pending', () => {
    expect(make({ spec: { containers: [container] }, status: { phase: 'Running' } }).status).toEqual({
      phase: 'Pending',
      qosClass: 'BestEffort',
    });
  });

  it('sets the PodScheduled condition of a gated pod', () => {
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

  it('drops fields of disabled features, including mounts of dropped volumes', () => {
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

  it('copies AppArmor profiles between fields and annotations', () => {
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

  it('expands matchLabelKeys into selector requirements', () => {
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

  it('has grace period 0 unless it is assigned and running', () => {
    const grace = (spec: object, status: object, requested?: number) =>
      podStrategy.deletion!.gracePeriodSeconds!({ spec, status } as never, requested);
    expect(grace({ terminationGracePeriodSeconds: 30 }, {})).toBe(0);
    expect(grace({ nodeName: 'n', terminationGracePeriodSeconds: 30 }, {})).toBe(30);
    expect(grace({ nodeName: 'n', terminationGracePeriodSeconds: 30 }, {}, 5)).toBe(5);
    expect(grace({ nodeName: 'n', terminationGracePeriodSeconds: 30 }, {}, -5)).toBe(1);
    expect(grace({ nodeName: 'n' }, { phase: 'Succeeded' }, 5)).toBe(0);
  });
});
