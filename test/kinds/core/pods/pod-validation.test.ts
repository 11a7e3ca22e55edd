import { describe, expect, it } from 'vitest';
import { podStrategy } from '../../../support/builtin-resources.ts';
import { contextOf, created, errorsOf, updated } from '../../run-strategy.ts';

const container = { name: 'c', image: 'i' };
const pod = (spec: object, metadata: object = {}): object => ({
  metadata: { name: 'p', namespace: 'n', ...metadata },
  spec: { serviceAccountName: 'default', containers: [container], ...spec },
});
const errors = (spec: object, metadata?: object): string[] => errorsOf(podStrategy, pod(spec, metadata));
const inContainer = (member: object): string[] => errors({ containers: [{ ...container, ...member }] });
const withVolume = (source: object): string[] => errors({ volumes: [{ name: 'v', ...source }] });

describe('pod validation', () => {
  it.each<[string, string[], string[]]>([
    ['no container', errors({ containers: [] }), ['spec.containers: Required value']],
    [
      'duplicate container names',
      errors({ containers: [container, container] }),
      ['spec.containers[1].name: Duplicate value: "c"'],
    ],
    [
      'an init container with the name of a container',
      errors({ initContainers: [container] }),
      ['spec.initContainers[0].name: Duplicate value: "c"'],
    ],
    [
      'an image with leading whitespace',
      inContainer({ image: ' i' }),
      ['spec.containers[0].image: Invalid value: " i": must not have leading or trailing whitespace'],
    ],
    [
      'a duplicate host port',
      errors({
        containers: [
          {
            ...container,
            ports: [
              { containerPort: 1, hostPort: 9 },
              { containerPort: 2, hostPort: 9 },
            ],
          },
        ],
      }),
      ['spec.containers[0].ports[1].hostPort: Duplicate value: "TCP//9"'],
    ],
    [
      'probes of an init container that is not a sidecar',
      errors({ initContainers: [{ name: 'i', image: 'i', readinessProbe: { exec: { command: ['x'] } } }] }),
      [
        'spec.initContainers[0].readinessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
      ],
    ],
    [
      'a restart policy of a regular container',
      inContainer({ restartPolicy: 'Always' }),
      ['spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers'],
    ],
    [
      'a grace period of a readiness probe',
      inContainer({ readinessProbe: { exec: { command: ['x'] }, terminationGracePeriodSeconds: 5 } }),
      [
        'spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes',
      ],
    ],
    [
      'a sleep longer than the grace period',
      inContainer({ lifecycle: { preStop: { sleep: { seconds: 99 } } } }),
      [
        expect.stringMatching(
          /preStop\.sleep: Invalid value: 99: must be greater than 0 and less than terminationGracePeriodSeconds \(30\)/,
        ) as unknown as string,
      ],
    ],
    [
      'an empty valueFrom',
      inContainer({ env: [{ name: 'A', valueFrom: {} }] }),
      [
        'spec.containers[0].env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
      ],
    ],
    [
      'an unsupported divisor',
      inContainer({
        env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '5m' } } }],
      }),
      [
        `spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource`,
      ],
    ],
    [
      'bidirectional mount propagation without privilege',
      errors({
        volumes: [{ name: 'v' }],
        containers: [
          {
            ...container,
            volumeMounts: [
              { name: 'v', mountPath: '/v', mountPropagation: 'Bidirectional', subPath: '../x' },
            ],
          },
        ],
      }),
      [
        `spec.containers[0].volumeMounts.subPath: Invalid value: "../x": must not contain '..'`,
        'spec.containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
      ],
    ],
    [
      'an emptyDir as block device',
      errors({
        volumes: [{ name: 'v' }],
        containers: [{ ...container, volumeDevices: [{ name: 'v', devicePath: '/dev/x' }] }],
      }),
      [
        'spec.containers[0].volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
      ],
    ],
    [
      'a secret without a name and with an invalid mode',
      withVolume({ secret: { defaultMode: 1000 } }),
      [
        'spec.volumes[0].secret.secretName: Required value',
        'spec.volumes[0].secret.defaultMode: Invalid value: 1000: must be a number between 0 and 0777 (octal), both inclusive',
      ],
    ],
    [
      'a reserved file path',
      withVolume({ configMap: { name: 'm', items: [{ key: 'k', path: '..data' }] } }),
      [`spec.volumes[0].configMap.items[0].path: Invalid value: "..data": must not start with '..'`],
    ],
    [
      'a token that expires too soon',
      withVolume({ projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 5 } }] } }),
      [
        'spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
      ],
    ],
    [
      'an ephemeral claim template without a specification',
      withVolume({ ephemeral: { volumeClaimTemplate: { metadata: { name: 'x' } } } }),
      [
        'spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set',
        'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required',
        'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value',
      ],
    ],
    [
      'a user id out of range',
      errors({ securityContext: { runAsUser: -1, fsGroup: 2 ** 31 } }),
      [
        'spec.securityContext.fsGroup: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive',
        'spec.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      ],
    ],
    [
      'a Localhost profile without a name',
      inContainer({ securityContext: { seccompProfile: { type: 'Localhost' } } }),
      [
        'spec.containers[0].securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
      ],
    ],
    [
      'a network sysctl with hostNetwork',
      errors({
        hostNetwork: true,
        securityContext: { sysctls: [{ name: 'net.ipv4.ip_forward', value: '1' }] },
      }),
      [
        `spec.securityContext.sysctls[0].name: Invalid value: "net.ipv4.ip_forward": may not be specified when 'hostNetwork' is true`,
      ],
    ],
    [
      'node affinity without terms',
      errors({
        affinity: {
          nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } },
        },
      }),
      [
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
      ],
    ],
    [
      'pod affinity with an invalid weight and namespace',
      errors({
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 0, podAffinityTerm: { topologyKey: 'zone', labelSelector: {}, namespaces: ['A'] } },
            ],
          },
        },
      }),
      [
        'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100',
        expect.stringMatching(/podAffinityTerm\.namespace: Invalid value: "A"/) as unknown as string,
      ],
    ],
    [
      'invalid spread constraints',
      errors({
        topologySpreadConstraints: [
          { maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'Panic', labelSelector: {} },
        ],
      }),
      [
        'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
        'spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty',
        'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Panic": supported values: "DoNotSchedule", "ScheduleAnyway"',
      ],
    ],
    [
      'an empty toleration key without Exists',
      errors({ tolerations: [{ effect: 'NoSchedule', tolerationSeconds: 5 }] }),
      [
        'spec.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
        `spec.tolerations[0].effect: Invalid value: "NoSchedule": effect must be 'NoExecute' when \`tolerationSeconds\` is set`,
      ],
    ],
    [
      'dnsPolicy None without dnsConfig',
      errors({ dnsPolicy: 'None' }),
      ['spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
    ],
    [
      'a deadline of zero',
      errors({ activeDeadlineSeconds: 0 }),
      ['spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive'],
    ],
    [
      'a Windows pod with Linux fields',
      errors({
        os: { name: 'windows' },
        hostPID: true,
        containers: [{ ...container, securityContext: { runAsUser: 1 } }],
      }),
      [
        'spec.hostPID: Forbidden: cannot be set for a windows pod',
        'spec.containers[0].securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
      ],
    ],
    [
      'nodeName with scheduling gates',
      errors({ nodeName: 'n', schedulingGates: [{ name: 'a/b' }] }),
      ['spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared'],
    ],
    [
      'a token without a service account',
      errors({
        serviceAccountName: '',
        volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }],
      }),
      [
        'spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set',
      ],
    ],
    [
      'a malformed deletion cost',
      errors({}, { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '+1' } }),
      [
        'metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+1": must be a 32bit integer',
      ],
    ],
  ])('rejects %s', (_case, actual, expected) => {
    expect(actual).toEqual(expected);
  });

  it('rejects privileged containers unless the server allows them', () => {
    const privileged = pod({ containers: [{ ...container, securityContext: { privileged: true } }] });
    expect(errorsOf(podStrategy, privileged)).toEqual([
      'spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy',
    ]);
    expect(errorsOf(podStrategy, privileged, contextOf({ allowPrivileged: true }))).toEqual([]);
  });
});

describe('pod update validation', () => {
  const old = created(
    podStrategy,
    pod({ activeDeadlineSeconds: 100, tolerations: [{ key: 'a', operator: 'Exists' }] }),
  ).object;
  const change = (spec: object): string[] =>
    updated(podStrategy, { ...old, spec: { ...(old['spec'] as object), ...spec } }, old).errors;

  it('allows changing the image, shortening the deadline and adding tolerations', () => {
    expect(
      change({
        containers: [{ ...container, image: 'j', imagePullPolicy: 'Always' }],
        activeDeadlineSeconds: 50,
        tolerations: [
          { key: 'a', operator: 'Exists' },
          { key: 'b', operator: 'Exists' },
        ],
      }),
    ).toEqual([]);
  });

  it('reports a diff of forbidden changes', () => {
    expect(change({ nodeName: 'n' })).toEqual([
      expect.stringMatching(
        /^spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`[^\n]*negative\)\n {2}core\.PodSpec\{\n {2}\t\.\.\. \/\/ \d+ identical fields\n- \tNodeName: nil,\n\+ \tNodeName: "n",\n {2}\t\.\.\. \/\/ \d+ identical fields\n {2}\}\n$/,
      ),
    ]);
  });

  it('limits the diff to the changed members', () => {
    const env = (last: string): object[] => [
      { name: 'LONG', value: 'x'.repeat(500) },
      { name: 'B', value: last },
    ];
    const before = created(podStrategy, pod({ containers: [{ ...container, env: env('old') }] })).object;
    const [text = ''] = updated(
      podStrategy,
      { ...before, spec: { ...(before['spec'] as object), containers: [{ ...container, env: env('new') }] } },
      before,
    ).errors;
    const [, ...lines] = text.split('\n').filter((line) => /^[-+]/.test(line) || line.startsWith('spec'));
    expect(lines).toEqual([
      expect.stringMatching(/^- \t+Value: "old",$/),
      expect.stringMatching(/^\+ \t+Value: "new",$/),
    ]);
    expect(text).toContain('... // 1 identical element');
  });

  it('treats zero values as absent', () => {
    expect(change({ hostNetwork: false, nodeName: '', volumes: [] })).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      'more containers',
      { containers: [container, { name: 'd', image: 'i' }] },
      'spec.containers: Forbidden: pod updates may not add or remove containers',
    ],
    [
      'a later deadline',
      { activeDeadlineSeconds: 500 },
      'spec.activeDeadlineSeconds: Invalid value: 500: must be less than or equal to previous value',
    ],
    [
      'no deadline',
      { activeDeadlineSeconds: undefined },
      'spec.activeDeadlineSeconds: Invalid value: "null": must not update from a positive integer to nil value',
    ],
    [
      'fewer tolerations',
      { tolerations: [] },
      'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
    ],
    [
      'new gates',
      { schedulingGates: [{ name: 'a/b' }] },
      "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a/b'",
    ],
  ])('rejects %s', (_case, spec, expected) => {
    expect(change(spec)).toEqual([expected]);
  });

  it('allows narrowing the node selection of a gated pod', () => {
    const gated = created(
      podStrategy,
      pod({ schedulingGates: [{ name: 'a/b' }], nodeSelector: { a: 'b' } }),
    ).object;
    const narrow = (spec: object): string[] =>
      updated(podStrategy, { ...gated, spec: { ...(gated['spec'] as object), ...spec } }, gated).errors;
    expect(
      narrow({
        schedulingGates: undefined,
        nodeSelector: { a: 'b', c: 'd' },
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'k', operator: 'Exists' }] }],
            },
          },
        },
      }),
    ).toEqual([]);
    expect(narrow({ nodeSelector: { c: 'd' } })).toEqual([
      'spec.nodeSelector: Invalid value: map[string]string{"c":"d"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    ]);
  });

  it('allows adding ephemeral containers but not changing or removing them', () => {
    const context = contextOf({ subresource: 'ephemeralcontainers' });
    const debug = { name: 'debug', image: 'd' };
    const withEphemeral = (...ephemeralContainers: object[]): object => ({
      ...old,
      metadata: { ...old.metadata, labels: { dropped: 'yes' } },
      spec: { ...(old['spec'] as object), nodeName: 'dropped', ephemeralContainers },
    });
    const added = updated(podStrategy, withEphemeral(debug), old, context);
    expect(added.errors).toEqual([]);
    expect(added.object.metadata?.labels).toBeUndefined();
    expect(added.object).toMatchObject({
      spec: { ephemeralContainers: [{ ...debug, imagePullPolicy: 'Always' }] },
    });
    expect(
      updated(podStrategy, withEphemeral({ ...debug, image: 'e' }), added.object, context).errors,
    ).toEqual([
      'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be changed\n',
    ]);
    expect(updated(podStrategy, withEphemeral(), added.object, context).errors).toEqual([
      'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be removed\n',
    ]);
    const mirror = {
      ...old,
      metadata: { ...old.metadata, annotations: { 'kubernetes.io/config.mirror': '' } },
    };
    expect(updated(podStrategy, withEphemeral(debug), mirror, context).errors).toEqual([
      '[]: Forbidden: static pods do not support ephemeral containers',
    ]);
    expect(
      updated(
        podStrategy,
        withEphemeral({ name: 'e', image: 'x', ports: [{ containerPort: 1 }], targetContainerName: 'none' }),
        old,
        context,
      ).errors,
    ).toEqual([
      'spec.ephemeralContainers[0].targetContainerName: Not found: "none"',
      'spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container',
    ]);
  });

  it('keeps the specification on a status update and rejects a change of the QoS class', () => {
    const { object, errors: statusErrors } = updated(
      podStrategy,
      {
        ...old,
        spec: {},
        status: {
          phase: 'Running',
          qosClass: 'Guaranteed',
          conditions: [{ type: 'a b', status: 'True' }],
          podIP: 'x',
        },
      },
      old,
      contextOf({ subresource: 'status' }),
    );
    expect(object).toMatchObject({
      spec: { activeDeadlineSeconds: 100 },
      status: { phase: 'Running', qosClass: 'Guaranteed' },
    });
    expect(statusErrors).toEqual([
      expect.stringMatching(/^metadata\.conditions\[0\]\.Type: Invalid value: "a b"/),
      'status.qosClass: Invalid value: "Guaranteed": field is immutable',
      expect.stringMatching(/^status\.podIPs\[0\]: Invalid value: "x": must be a valid IP address/),
    ]);
  });

  it('rejects a status in which a terminated container runs again', () => {
    const finished = created(podStrategy, pod({ restartPolicy: 'Never' })).object;
    const withState = (state: object): object => ({
      ...finished,
      status: { containerStatuses: [{ name: 'c', state }] },
    });
    expect(
      updated(
        podStrategy,
        withState({ running: {} }),
        withState({ terminated: { exitCode: 0 } }) as typeof finished,
        contextOf({ subresource: 'status' }),
      ).errors,
    ).toEqual([
      'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
    ]);
  });
});

describe('error paths of pod validation', () => {
  const keyOf = (secretKeyRef: object): object => ({ env: [{ name: 'A', valueFrom: { secretKeyRef } }] });
  it.each<[string, string[], RegExp]>([
    [
      'a secret key reference without a name',
      inContainer(keyOf({ key: 'k' })),
      /secretKeyRef\.name: Invalid value: "": a lowercase RFC 1123 subdomain/,
    ],
    [
      'an envFrom source',
      inContainer({ envFrom: [{ secretRef: { name: 'A' } }] }),
      /envFrom\[0\]\.secretRef\.name: Invalid value: "A"/,
    ],
    [
      'a subscript of a field path',
      inContainer({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a b']" } } }] }),
      /^spec\.containers\[0\]\.env\[0\]\.valueFrom\.fieldRef: Invalid value: "a b"/,
    ],
    [
      'an unknown profile type',
      errors({ securityContext: { seccompProfile: { type: 'Nope' } } }),
      /^spec\.securityContext\.seccompProfile\.type: Unsupported value: "Nope"/,
    ],
    [
      'localhostProfile of another profile type',
      errors({ securityContext: { seccompProfile: { type: 'Unconfined', localhostProfile: 'x' } } }),
      /localhostProfile: Invalid value: core\.SeccompProfile\{Type:"Unconfined", LocalhostProfile:\(\*string\)/,
    ],
    [
      'a hostname of a host alias',
      errors({ hostAliases: [{ ip: '10.0.0.1', hostnames: ['a', 'A'] }] }),
      /^spec\.hostAliases\[0\]\.hostnames\[1\]: Invalid value: "A"/,
    ],
  ])('reports %s', (_case, actual, expected) => {
    expect(actual).toEqual([expect.stringMatching(expected)]);
  });

  it('accepts any values in preferred node affinity', () => {
    const preference = { matchExpressions: [{ key: 'k', operator: 'In', values: ['a b'] }] };
    const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }] };
    expect(errors({ affinity: { nodeAffinity } })).toEqual([]);
  });

  it('rejects forbidden members of ephemeral containers even if empty', () => {
    const ephemeralContainers = [
      {
        name: 'e',
        image: 'i',
        ports: [],
        resources: { limits: {} },
        readinessProbe: { exec: { command: ['x'] } },
      },
    ];
    expect(errors({ ephemeralContainers })).toEqual([
      ...['ports', 'resources', 'readinessProbe'].map(
        (member) =>
          `spec.ephemeralContainers[0].${member}: Forbidden: cannot be set for an Ephemeral Container`,
      ),
      'spec.ephemeralContainers: Forbidden: cannot be set on create',
    ]);
  });
});
