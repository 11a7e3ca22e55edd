import { describe, expect, it } from 'vitest';
import type { PluginConfiguration } from '../../../src/admission/plugin-configuration.ts';
import { podSecurity } from '../../../src/admission/plugins/pod-security.ts';
import { defaultPolicy } from '../../../src/admission/pod-security/policy.ts';
import type { KubernetesObject } from '../../../src/model/object.ts';
import { DEFAULT_MINOR, releaseOf, type ServedMinor } from '../../../src/model/scheme.ts';
import type { AdmissionRequest } from '../../../src/request/admission.ts';
import { user } from '../../authentication/fixtures.ts';
import { admissionRequest, admitted, pod, UNCONFIGURED } from '../fixtures.ts';

const L = (labels: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]),
  );
const SAFE = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [
    { name: 'c', securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } },
  ],
};

/** Errors, warnings and annotations for an object in a namespace with these labels. */
async function judge(
  labels: Record<string, string>,
  resource: string,
  object: KubernetesObject,
  changes: Partial<AdmissionRequest> = {},
  pods: KubernetesObject[] = [],
  settings: PluginConfiguration['podSecurity'] = UNCONFIGURED.podSecurity,
  release: ServedMinor = DEFAULT_MINOR,
) {
  const warnings: string[] = [];
  const observed: string[] = [];
  const annotations: Record<string, string> = {};
  const plugin = podSecurity({
    namespace: () => ({ metadata: { name: 'n', labels: L(labels) } }),
    pods: () => pods,
    podSecurity: settings,
    scheme: { release: releaseOf(release) },
    podSecurityObserver: {
      evaluated: (_request, decision, mode, { text }) => void observed.push(`${decision} ${mode} ${text}`),
      exempted: () => void observed.push('exempted'),
      failed: (_request, fatal) => void observed.push(fatal ? 'failed' : 'malformed'),
    },
  });
  const request = admissionRequest(resource, object, {
    warn: (text) => void warnings.push(text),
    annotate: (key, value) => void Object.assign(annotations, { [key]: value }),
    ...changes,
  });
  const error = await admitted(plugin, request).then(
    () => undefined,
    ({ message }: Error) => message,
  );
  return { warnings, annotations, error, observed };
}
const enforced = async (level: string, spec: object, metadata = {}, version = 'latest') =>
  (await judge({ enforce: level, 'enforce-version': version }, 'pods', pod(spec, metadata))).error?.replace(
    /^pods "p" is forbidden: violates PodSecurity "[^"]*": /,
    '',
  );

describe('pod security', () => {
  it.each<[string, object, string]>([
    [
      'host ports',
      {
        containers: [
          { name: 'a', ports: [{ hostPort: 80 }] },
          { name: 'b', ports: [{ hostPort: 8080 }] },
        ],
      },
      'hostPort (containers "a", "b" use hostPorts 80, 8080)',
    ],
    [
      'volumes',
      {
        volumes: [
          { name: 'v', hostPath: {} },
          { name: 'w', hostPath: {} },
        ],
      },
      'hostPath volumes (volumes "v", "w")',
    ],
    [
      'privileges',
      { containers: [{ name: 'c', securityContext: { privileged: true } }] },
      'privileged (container "c" must not set securityContext.privileged=true)',
    ],
    [
      'capabilities of init containers',
      { initContainers: [{ name: 'i', securityContext: { capabilities: { add: ['SYS_ADMIN'] } } }] },
      'non-default capabilities (container "i" must not include "SYS_ADMIN" in securityContext.capabilities.add)',
    ],
    [
      'mounts of /proc',
      { containers: [{ name: 'c', securityContext: { procMount: 'Unmasked' } }] },
      'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
    ],
    [
      'SELinux',
      { containers: [{ name: 'c', securityContext: { seLinuxOptions: { role: 'r', type: 't' } } }] },
      'seLinuxOptions (container "c" set forbidden securityContext.seLinuxOptions: type "t"; role may not be set)',
    ],
    [
      'Windows',
      { securityContext: { windowsOptions: { hostProcess: true } } },
      'hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
    ],
    [
      'AppArmor',
      { securityContext: { appArmorProfile: { type: 'Unconfined' } } },
      'forbidden AppArmor profile (pod must not set AppArmor profile type to "Unconfined")',
    ],
  ])('baseline rejects %s', async (_name, spec, text) => {
    expect(await enforced('baseline', spec)).toBe(text);
    expect(await enforced('privileged', spec)).toBeUndefined();
  });

  it.each<[string, object, string]>([
    [
      'root by its own word',
      { ...SAFE, securityContext: { ...SAFE.securityContext, runAsNonRoot: false } },
      'runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)',
    ],
    [
      'root in a container',
      {
        ...SAFE,
        containers: [
          {
            ...SAFE.containers[0],
            securityContext: { ...SAFE.containers[0]!.securityContext, runAsUser: 0 },
          },
        ],
      },
      'runAsUser=0 (container "c" must not set runAsUser=0)',
    ],
    [
      'volumes of the host',
      {
        ...SAFE,
        volumes: [
          { name: 'v', hostPath: {} },
          { name: 'e', emptyDir: {} },
        ],
      },
      'restricted volume types (volume "v" uses restricted volume type "hostPath")',
    ],
    [
      'unconfined containers',
      {
        ...SAFE,
        containers: [
          {
            ...SAFE.containers[0],
            securityContext: {
              ...SAFE.containers[0]!.securityContext,
              seccompProfile: { type: 'Unconfined' },
            },
          },
        ],
      },
      'seccompProfile (container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
  ])('restricted rejects %s', async (_name, spec, text) => {
    expect(await enforced('restricted', spec)).toBe(text);
  });

  it('judges seccomp by annotations up to version 1.18, and by fields since', async () => {
    const annotated = {
      annotations: {
        'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
        'container.seccomp.security.alpha.kubernetes.io/other': 'unconfined',
      },
    };
    const field = { securityContext: { seccompProfile: { type: 'Unconfined' } } };
    expect(await enforced('baseline', {}, annotated, 'v1.18')).toBe(
      'seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")',
    );
    expect(await enforced('baseline', {}, annotated, 'v1.19')).toBeUndefined();
    expect(await enforced('baseline', field, {}, 'v1.18')).toBeUndefined();
    expect(await enforced('baseline', field, {}, 'v1.19')).toBe(
      'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
    );
  });

  it('applies the rules of the configured version', async () => {
    const sysctl = { securityContext: { sysctls: [{ name: 'net.ipv4.tcp_rmem', value: '1' }] } };
    expect(await enforced('baseline', sysctl)).toBeUndefined();
    expect(await enforced('baseline', sysctl, {}, 'v1.31')).toBe('forbidden sysctls (net.ipv4.tcp_rmem)');
    const root = { ...SAFE, securityContext: { ...SAFE.securityContext, runAsUser: 0 } };
    expect(await enforced('restricted', root, {}, 'v1.22')).toBeUndefined();
    expect(await enforced('restricted', SAFE)).toBeUndefined();
    expect(await enforced('nonsense', {})).toContain('runAsNonRoot != true');
  });

  it('warns and annotates without rejecting', async () => {
    const job = {
      metadata: { name: 'j' },
      spec: { jobTemplate: { spec: { template: pod({ hostNetwork: true }) } } },
    };
    const batch = { resource: { group: 'batch', version: 'v1', resource: 'cronjobs' } };
    expect(
      await judge({ enforce: 'baseline', warn: 'baseline', audit: 'baseline' }, 'cronjobs', job, batch),
    ).toEqual({
      error: undefined,
      observed: ['deny audit baseline:latest', 'deny warn baseline:latest'],
      warnings: ['would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)'],
      annotations: {
        'pod-security.kubernetes.io/audit-violations':
          'would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
      },
    });
    expect((await judge({ 'enforce-version': 'v1.20' }, 'pods', pod())).annotations).toEqual({
      'pod-security.kubernetes.io/enforce-policy': 'privileged:latest',
    });
    expect(
      (await judge({ 'enforce-version': 'v1.20', audit: 'baseline' }, 'pods', pod())).annotations,
    ).toEqual({
      'pod-security.kubernetes.io/enforce-policy': 'privileged:v1.20',
    });
  });

  const replicaSet = { metadata: { name: 'r' }, spec: { template: pod({ hostNetwork: true }) } };
  const apps = { resource: { group: 'apps', version: 'v1', resource: 'replicasets' } };
  it.each<[Record<string, string>, string | undefined]>([
    [{ enforce: 'baseline' }, 'baseline:latest'],
    [{ enforce: 'baseline', 'enforce-version': 'v1.22' }, 'baseline:v1.22'],
    [{ enforce: 'baseline', 'enforce-version': 'v1.22', 'warn-version': 'latest' }, 'baseline:latest'],
    [{ enforce: 'baseline', 'warn-version': 'v1.23' }, 'baseline:v1.23'],
    [{ enforce: 'baseline', warn: 'privileged' }, undefined],
    [{ enforce: 'baseline', warn: 'nonsense' }, undefined],
    [{ enforce: 'nonsense' }, undefined],
    [{ enforce: 'privileged', warn: 'baseline' }, 'baseline:latest'],
    [{ audit: 'baseline' }, undefined],
  ])('with %j a workload is warned about by %s', async (labels, level) => {
    const { warnings, error } = await judge(labels, 'replicasets', replicaSet, apps);
    expect(error).toBeUndefined();
    expect(warnings).toEqual(
      level === undefined ? [] : [`would violate PodSecurity "${level}": host namespaces (hostNetwork=true)`],
    );
  });

  it('annotates the audit event for invalid labels', async () => {
    const { annotations } = await judge(
      { enforce: 'x', 'warn-version': 'y' },
      'replicasets',
      replicaSet,
      apps,
    );
    expect(annotations).toEqual({
      'pod-security.kubernetes.io/error':
        'Failed to parse policy: [metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "x": must be one of privileged, baseline, restricted, ' +
        'metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "y": must be "latest" or "v1.x"]',
    });
  });

  it.each<[string, object, object, object, boolean]>([
    ['nothing', {}, {}, {}, false],
    ['an image', { containers: [{ name: 'c', image: 'new' }] }, {}, {}, true],
    ['an init container', { initContainers: [{ name: 'i' }] }, {}, {}, true],
    [
      'an ephemeral container',
      { ephemeralContainers: [{ name: 'e' }] },
      {},
      { subresource: 'ephemeralcontainers' },
      true,
    ],
    ['a label', {}, { labels: { a: 'b' } }, {}, false],
    [
      'a seccomp annotation',
      {},
      { annotations: { 'container.seccomp.security.alpha.kubernetes.io/c': 'x' } },
      {},
      true,
    ],
    ['the status', { containers: [{ name: 'c', image: 'new' }] }, {}, { subresource: 'status' }, false],
  ])('evaluates an update of %s by its changes', async (_what, spec, metadata, changes, judged) => {
    const old = pod({ hostNetwork: true });
    const next = pod({ hostNetwork: true, ...spec }, metadata);
    const { error } = await judge({ enforce: 'baseline' }, 'pods', next, {
      operation: 'UPDATE',
      oldObject: old,
      ...changes,
    });
    expect(error).toBe(
      judged
        ? 'pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)'
        : undefined,
    );
  });

  it('warns about existing pods that violate a raised level', async () => {
    const bad = (name: string, spec: object) => ({ ...pod(spec), metadata: { name } });
    const pods = [
      bad('a', { hostPID: true }),
      bad('b', { hostPID: true }),
      bad('c', {}),
      bad('d', { volumes: [{ name: 'v', hostPath: {} }] }),
    ];
    const labelled = (labels: Record<string, string>) => ({ metadata: { name: 'n', labels: L(labels) } });
    const update = { operation: 'UPDATE', oldObject: labelled({}) } as const;
    expect((await judge({}, 'namespaces', labelled({ enforce: 'baseline' }), update, pods)).warnings).toEqual(
      [
        'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
        'a (and 1 other pod): host namespaces',
        'd: hostPath volumes',
      ],
    );
    expect((await judge({}, 'namespaces', labelled({ enforce: 'x' }), update)).error).toContain(
      'must be one of privileged, baseline, restricted',
    );
    expect(
      (
        await judge({}, 'namespaces', labelled({ enforce: 'x' }), {
          operation: 'UPDATE',
          oldObject: labelled({ enforce: 'x' }),
        })
      ).error,
    ).toBeUndefined();
    const relaxed = { operation: 'UPDATE', oldObject: labelled({ enforce: 'restricted' }) } as const;
    expect(
      (await judge({}, 'namespaces', labelled({ enforce: 'baseline' }), relaxed, pods)).warnings,
    ).toEqual([]);
    expect(
      (
        await judge(
          {},
          'namespaces',
          labelled({ enforce: 'baseline', 'enforce-version': 'v1.30' }),
          relaxed,
          pods,
        )
      ).warnings,
    ).toHaveLength(3);
  });

  it('checks one pod per controller first, and at most 3,000', async () => {
    const owned = (name: string, spec: object, uid: string) => ({
      ...pod(spec),
      metadata: {
        name,
        ownerReferences: [{ apiVersion: 'v1', kind: 'C', name: 'c', uid, controller: true }],
      },
    });
    const pods = [
      ...Array.from({ length: 3001 }, (_, index) => owned(`z${index}`, {}, 'many')),
      owned('last', { hostPID: true }, 'one'),
    ];
    const labelled = (labels: Record<string, string>) => ({ metadata: { name: 'n', labels: L(labels) } });
    const update = { operation: 'UPDATE', oldObject: labelled({}) } as const;
    expect((await judge({}, 'namespaces', labelled({ enforce: 'baseline' }), update, pods)).warnings).toEqual(
      [
        'new PodSecurity enforce level only checked against the first 3000 of 3002 existing pods',
        'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
        'last: host namespaces',
      ],
    );
  });
});

describe('pod security with configuration', () => {
  const settings: PluginConfiguration['podSecurity'] = {
    defaults: defaultPolicy({ enforce: 'baseline', warn: 'restricted', 'warn-version': 'v1.30' }).policy,
    exemptions: {
      usernames: new Set(['trusted']),
      namespaces: new Set(['spared']),
      runtimeClasses: new Set(['sandbox']),
    },
  };
  const configured = (
    labels: Record<string, string>,
    spec: object,
    changes: Partial<AdmissionRequest> = {},
  ) => judge(labels, 'pods', pod(spec), changes, [], settings);

  it('applies the defaults to namespaces without labels', async () => {
    expect((await configured({}, { hostNetwork: true })).error).toBe(
      'pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
    );
    const { warnings, error } = await configured({}, {});
    expect(error).toBeUndefined();
    expect(warnings).toEqual([expect.stringMatching(/^would violate PodSecurity "restricted:v1\.30": /)]);
  });

  it('lets labels replace one part of a default', async () => {
    const { annotations, warnings } = await configured({ enforce: 'privileged' }, { hostNetwork: true });
    expect(annotations).toMatchObject({ 'pod-security.kubernetes.io/enforce-policy': 'privileged:latest' });
    expect(warnings).toHaveLength(1);
    const versioned = await configured({ 'enforce-version': 'v1.20' }, SAFE);
    expect(versioned.annotations).toMatchObject({
      'pod-security.kubernetes.io/enforce-policy': 'baseline:v1.20',
    });
  });

  it.each<[string, object, Partial<AdmissionRequest>]>([
    ['namespace', {}, { namespace: 'spared' }],
    ['user', {}, { user: user('trusted') }],
    ['runtimeClass', { runtimeClassName: 'sandbox' }, {}],
  ])('exempts by %s', async (reason, spec, changes) => {
    const { error, warnings, annotations } = await configured({}, { hostNetwork: true, ...spec }, changes);
    expect({ error, warnings, annotations }).toEqual({
      error: undefined,
      warnings: [],
      annotations: { 'pod-security.kubernetes.io/exempt': reason },
    });
  });

  it('warns about labels of an exempt namespace', async () => {
    const spared = (labels: Record<string, string>) =>
      judge({}, 'namespaces', { metadata: { name: 'spared', labels: L(labels) } }, {}, [], settings);
    expect((await spared({ enforce: 'restricted', audit: 'privileged' })).warnings).toEqual([
      'namespace "spared" is exempt from Pod Security, and the policy (enforce=restricted:latest) will be ignored',
    ]);
    expect((await spared({})).warnings).toEqual([]);
  });

  it('leaves pods with an exempt runtime class out when a namespace becomes stricter', async () => {
    const { warnings } = await judge(
      {},
      'namespaces',
      { metadata: { name: 'n', labels: L({ enforce: 'restricted' }) } },
      { operation: 'UPDATE', oldObject: { metadata: { name: 'n' } } },
      [pod({ runtimeClassName: 'sandbox' }), pod(SAFE)],
      settings,
    );
    expect(warnings).toEqual([]);
  });

  it('judges an update that changes an image, and no other update', async () => {
    const update = (image: string) =>
      configured(
        {},
        { hostNetwork: true, containers: [{ name: 'c', image }] },
        {
          operation: 'UPDATE',
          oldObject: pod({ hostNetwork: true, containers: [{ name: 'c', image: 'a' }] }),
        },
      );
    expect((await update('a')).error).toBeUndefined();
    expect((await update('b')).error).toContain('violates PodSecurity "baseline:latest"');
  });

  it('counts evaluations, exemptions and malformed labels', async () => {
    const hostile = { hostNetwork: true };
    expect((await configured({}, hostile)).observed).toEqual(['deny enforce baseline:latest']);
    expect((await configured({}, {})).observed).toEqual([
      'allow enforce baseline:latest',
      'deny warn restricted:v1.30',
    ]);
    expect((await configured({ audit: 'nope' }, SAFE)).observed).toEqual([
      'malformed',
      'allow enforce baseline:latest',
    ]);
    expect((await configured({}, hostile, { namespace: 'spared' })).observed).toEqual(['exempted']);
    expect((await judge({}, 'pods', pod(hostile))).observed).toEqual(['allow enforce privileged:latest']);
  });

  it('reports what is wrong with the defaults', () => {
    expect(defaultPolicy({ enforce: 'nope', 'warn-version': 'v9' }).errors).toEqual([
      'enforce: must be one of privileged, baseline, restricted',
      'warn-version: must be "latest" or "v1.x"',
    ]);
  });
});

describe('rules of later releases', () => {
  const errorIn = async (release: ServedMinor, level: string, spec: object, version = 'latest') =>
    (
      await judge(
        { enforce: level, 'enforce-version': version },
        'pods',
        pod(spec),
        {},
        [],
        UNCONFIGURED.podSecurity,
        release,
      )
    ).error?.replace(/^.*?": /, '');

  it('reject hosts of probes since 1.34', async () => {
    const spec = {
      containers: [
        { name: 'b', livenessProbe: { tcpSocket: { host: 'h' } } },
        { name: 'a', lifecycle: { preStop: { httpGet: { host: 'g' } } } },
      ],
    };
    expect(await errorIn('1.33', 'baseline', spec)).toBeUndefined();
    expect(await errorIn('1.34', 'baseline', spec)).toBe(
      'probe or lifecycle host (containers "a", "b" use probe or lifecycle hosts "g", "h")',
    );
    expect(await errorIn('1.34', 'baseline', spec, 'v1.33')).toBeUndefined();
  });

  it('allow more to pods with users of their own since 1.35, but no unmasked /proc if restricted', async () => {
    const users = {
      hostUsers: false,
      securityContext: { ...SAFE.securityContext, runAsNonRoot: false, runAsUser: 0 },
    };
    const unmasked = [{ name: 'c', securityContext: { procMount: 'Unmasked' } }];
    const PROC_MOUNT = 'procMount (container "c" must not set securityContext.procMount to "Unmasked")';
    expect(await errorIn('1.34', 'baseline', { ...users, containers: unmasked })).toBe(PROC_MOUNT);
    expect(await errorIn('1.35', 'baseline', { ...users, containers: unmasked })).toBeUndefined();
    expect(await errorIn('1.35', 'baseline', { containers: unmasked })).toBe(PROC_MOUNT);
    expect(await errorIn('1.34', 'restricted', { ...SAFE, ...users })).toContain('runAsNonRoot');
    expect(await errorIn('1.35', 'restricted', { ...SAFE, ...users })).toBeUndefined();
    expect(await errorIn('1.35', 'restricted', { ...users, containers: unmasked })).toContain(PROC_MOUNT);
  });

  it('allow more sysctls since 1.37', async () => {
    const spec = {
      securityContext: { sysctls: [{ name: 'net.ipv4.tcp_notsent_lowat', value: '1' }] },
      containers: [{ name: 'c' }],
    };
    expect(await errorIn('1.36', 'baseline', spec)).toBe('forbidden sysctls (net.ipv4.tcp_notsent_lowat)');
    expect(await errorIn('1.37', 'baseline', spec)).toBeUndefined();
  });
});
