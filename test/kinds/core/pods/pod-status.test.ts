import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../../src/model/object.ts';
import { podStrategy } from '../../../support/builtin-resources.ts';
import { contextOf, created, updated } from '../../run-strategy.ts';

const resources = {
  requests: { cpu: '1', 'example.com/device': '1' },
  limits: { 'example.com/device': '1' },
};
const pod = created(podStrategy, {
  metadata: { name: 'p', namespace: 'n' },
  spec: {
    restartPolicy: 'Never',
    serviceAccountName: 'a',
    containers: [{ name: 'c', image: 'i', resources }],
    os: { name: 'linux' },
  },
}).object;
const withStatus = (status: object): KubernetesObject => ({
  ...structuredClone(pod),
  status: { ...(pod.status as object), ...status },
});
const statusErrors = (status: object, old: object = {}): string[] =>
  updated(podStrategy, withStatus(status), withStatus(old), contextOf({ subresource: 'status' })).errors;

describe('pod status update', () => {
  it.each<[string, object, string[]]>([
    [
      'a duplicate address',
      { podIPs: [{ ip: '10.0.0.1' }, { ip: '::1' }, { ip: '10.0.0.1' }] },
      [
        'status.podIPs: Invalid value: []core.PodIP{core.PodIP{IP:"10.0.0.1"}, core.PodIP{IP:"::1"}, core.PodIP{IP:"10.0.0.1"}}: may specify no more than one IP for each IP family',
        'status.podIPs[2]: Duplicate value: core.PodIP{IP:"10.0.0.1"}',
      ],
    ],
    [
      'a malformed address',
      { podIPs: [{ ip: '10.0.0.1' }, { ip: 'x' }] },
      [
        expect.stringMatching(
          /^status\.podIPs\[1\]: Invalid value: "x": must be a valid IP address/,
        ) as unknown as string,
        'status.podIPs: Internal error: failed to check for dual stack with error:invalid IP[1]: x',
        'status.podIPs: Invalid value: []core.PodIP{core.PodIP{IP:"10.0.0.1"}, core.PodIP{IP:"x"}}: may specify no more than one IP for each IP family',
      ],
    ],
    [
      'a first host IP that differs from hostIP',
      { hostIP: '10.0.0.1', hostIPs: [{ ip: '10.0.0.2' }] },
      ['status.hostIPs[0].ip: Invalid value: "10.0.0.2": must be equal to `hostIP`'],
    ],
    [
      'an unknown resource claim',
      { resourceClaimStatuses: [{ name: 'r' }] },
      [
        'status.resourceClaimStatuses[0].name: Invalid value: "r": must match the name of an entry in `spec.resourceClaims`',
      ],
    ],
    [
      'user ids out of range',
      { containerStatuses: [{ name: 'c', user: { linux: { uid: -1, gid: 0, supplementalGroups: [-2] } } }] },
      [
        'status.containerStatuses[0].linux.uid: Invalid value: -1: must be between 0 and 2147483647, inclusive',
        'status.containerStatuses[0].linux.supplementalGroups[0]: Invalid value: -2: must be between 0 and 2147483647, inclusive',
      ],
    ],
    [
      'invalid device health',
      {
        containerStatuses: [
          {
            name: 'c',
            allocatedResourcesStatus: [
              {
                name: 'example.com/device',
                resources: [
                  { resourceID: 'd', health: 'Healthy' },
                  { resourceID: 'd', health: 'Ill' },
                ],
              },
              { name: 'example.com/other' },
              { name: 'claim:r' },
            ],
          },
          { name: 'unknown', allocatedResourcesStatus: [{ name: 'x' }] },
        ],
      },
      [
        'status.containerStatuses[0].allocatedResourcesStatus[0].resources[1].health: Unsupported value: "Ill": supported values: "Healthy", "Unhealthy", "Unknown"',
        'status.containerStatuses[0].allocatedResourcesStatus[0].resources[1].resourceID: Duplicate value: "d"',
        "status.containerStatuses[0].allocatedResourcesStatus[1].name: Invalid value: example.com/other: must match one of the container's resource requests",
        "status.containerStatuses[0].allocatedResourcesStatus[2].name: Invalid value: claim:r: must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty",
      ],
    ],
  ])('rejects %s', (_case, status, expected) => {
    expect(statusErrors(status)).toEqual(expected);
  });

  it('keeps fields of disabled features; later updates of the pod drop them', () => {
    const status = { containerStatuses: [{ name: 'c', user: { linux: { uid: 1, gid: 1 } } }] };
    const reported = updated(
      podStrategy,
      withStatus(status),
      pod,
      contextOf({ subresource: 'status' }),
    ).object;
    expect(reported.status).toMatchObject(status);
    const labelled = updated(
      podStrategy,
      { ...reported, metadata: { ...reported.metadata, labels: { a: 'b' } } },
      reported,
    );
    expect(labelled.errors).toEqual([]);
    expect(labelled.object.status).toMatchObject({ containerStatuses: [{ name: 'c' }] });
    expect(JSON.stringify(labelled.object.status)).not.toContain('user');
    expect(JSON.stringify(reported.status)).toContain('user');
  });
});

describe('profile annotations', () => {
  const appArmor = 'container.apparmor.security.beta.kubernetes.io/c';
  const create = (
    annotations: Record<string, string>,
    spec: object = {},
  ): { errors: string[]; warnings: string[] } => {
    const warnings: string[] = [];
    const object = {
      metadata: { name: 'p', namespace: 'n', annotations },
      spec: { serviceAccountName: 'a', containers: [{ name: 'c', image: 'i' }], ...spec },
    };
    const { errors } = created(podStrategy, object, contextOf({ warn: (text) => warnings.push(text) }));
    return { errors, warnings };
  };

  it('finds a container without a name', () => {
    const key = 'container.apparmor.security.beta.kubernetes.io/';
    expect(create({ [key]: 'runtime/default' }, { containers: [{ image: 'i' }] }).errors).not.toContainEqual(
      expect.stringContaining('container not found'),
    );
    expect(create({ [key]: 'runtime/default' }).errors).toContainEqual(
      expect.stringContaining('container not found'),
    );
  });

  it('warns when a field is set from an annotation, even if the pod is rejected', () => {
    const text = `metadata.annotations[${appArmor}]: deprecated since v1.30; use the "appArmorProfile" field instead`;
    expect(create({ [appArmor]: 'runtime/default' })).toEqual({ errors: [], warnings: [text] });
    expect(create({ [appArmor]: 'nonsense' })).toEqual({
      errors: [
        `metadata.annotations[${appArmor}]: Invalid value: "nonsense": invalid AppArmor profile name: "nonsense"`,
      ],
      warnings: [text],
    });
    expect(
      create({ [appArmor]: 'unconfined' }, { securityContext: { appArmorProfile: { type: 'Unconfined' } } }),
    ).toEqual({ errors: [], warnings: [] });
  });

  it('rejects an annotation that differs from the field', () => {
    const containers = [
      {
        name: 'c',
        image: 'i',
        securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: 'x' } },
      },
    ];
    expect(create({ [appArmor]: 'localhost/y' }, { containers }).errors).toEqual([
      'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Forbidden: apparmor profile in annotation and field must match',
    ]);
    const seccompProfile = { type: 'RuntimeDefault' };
    expect(
      create(
        { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' },
        { securityContext: { seccompProfile } },
      ).errors,
    ).toEqual([
      'spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
    ]);
    expect(
      create(
        { 'seccomp.security.alpha.kubernetes.io/pod': 'docker/default' },
        { securityContext: { seccompProfile } },
      ).errors,
    ).toEqual([]);
  });
});

describe('procMount', () => {
  const withMount = (procMount: string): object => ({
    metadata: { name: 'p', namespace: 'n' },
    spec: {
      serviceAccountName: 'a',
      containers: [{ name: 'c', image: 'i', securityContext: { procMount } }],
    },
  });

  it('is reset to the default while the feature is disabled', () => {
    const { object, errors } = created(podStrategy, withMount('Unmasked'));
    expect(errors).toEqual([]);
    expect(object).toMatchObject({ spec: { containers: [{ securityContext: { procMount: 'Default' } }] } });
    expect(created(podStrategy, withMount('Unmasked'), contextOf({ isOn: () => true })).errors).toEqual([
      'spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
    ]);
  });
});
