import { describe, expect, it } from 'vitest';
import {
  certificateApproval,
  certificateSigning,
} from '../../../src/admission/plugins/certificate-signers.ts';
import { defaultIngressClass } from '../../../src/admission/plugins/default-ingress-class.ts';
import { defaultStorageClass } from '../../../src/admission/plugins/default-storage-class.ts';
import { defaultTolerationSeconds } from '../../../src/admission/plugins/default-toleration-seconds.ts';
import { namespaceLifecycle } from '../../../src/admission/plugins/namespace-lifecycle.ts';
import { persistentVolumeClaimResize } from '../../../src/admission/plugins/persistent-volume-claim-resize.ts';
import { priority } from '../../../src/admission/plugins/priority.ts';
import { runtimeClass } from '../../../src/admission/plugins/runtime-class.ts';
import { serviceAccount } from '../../../src/admission/plugins/service-account.ts';
import { storageObjectInUseProtection } from '../../../src/admission/plugins/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from '../../../src/admission/plugins/taint-nodes-by-condition.ts';
import type { KubernetesObject } from '../../../src/model/object.ts';
import type { Authorizer } from '../../../src/request/attributes.ts';
import { RULES } from '../../support/rule-context.ts';
import { admissionRequest, admitted, pod } from '../fixtures.ts';

const named = (name: string, more: object = {}, metadata: object = {}): KubernetesObject => ({
  metadata: { name, ...metadata },
  ...more,
});

describe('NamespaceLifecycle', () => {
  const phaseOf = (name: string): string => (name === 'ending' ? 'Terminating' : 'Active');
  const waits: number[] = [];
  let whileWaiting = (): void => undefined;
  const known = new Set(['n', 'ending']);
  const plugin = namespaceLifecycle({
    namespace: (name) => (known.has(name) ? named(name, { status: { phase: phaseOf(name) } }) : undefined),
    wait: async (milliseconds) => {
      waits.push(milliseconds);
      whileWaiting();
    },
  });
  const create = (namespace: string) =>
    admitted(plugin, admissionRequest('configmaps', named('x'), { namespace }));

  it('rejects creation in an absent or terminating namespace', async () => {
    await create('n');
    await expect(create('gone')).rejects.toMatchObject({ code: 404, message: 'namespaces "gone" not found' });
    await expect(create('ending')).rejects.toMatchObject({
      code: 403,
      message:
        'configmaps "x" is forbidden: unable to create new content in namespace ending because it is being terminated',
      details: {
        name: 'x',
        kind: 'configmaps',
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: 'namespace ending is being terminated',
            field: 'metadata.namespace',
          },
        ],
      },
    });
    await admitted(
      plugin,
      admissionRequest('configmaps', named('x'), { namespace: 'ending', operation: 'UPDATE' }),
    );
  });

  it('looks up a missing namespace twice on create and once on update', async () => {
    waits.length = 0;
    await expect(create('gone')).rejects.toMatchObject({ code: 404 });
    expect(waits).toEqual([50]);
    const update = admissionRequest('configmaps', named('x'), { namespace: 'gone', operation: 'UPDATE' });
    await expect(admitted(plugin, update)).rejects.toMatchObject({ code: 404 });
    expect(waits).toEqual([50]);
    whileWaiting = () => known.add('late');
    await create('late');
    expect(waits).toEqual([50, 50]);
  });

  it('protects system namespaces and exempts reviews', async () => {
    const remove = (name: string) =>
      admitted(
        plugin,
        admissionRequest('namespaces', undefined, { operation: 'DELETE', namespace: name, name }),
      );
    for (const name of ['default', 'kube-system', 'kube-public'])
      await expect(remove(name)).rejects.toMatchObject({
        code: 403,
        message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
      });
    await remove('kube-node-lease');
    expect(plugin.handles('CREATE', 'authorization.k8s.io', 'localsubjectaccessreviews', '')).toBe(false);
    expect(plugin.handles('DELETE', '', 'configmaps', '')).toBe(false);
  });
});

describe('ServiceAccount', () => {
  const accounts: Record<string, KubernetesObject> = {
    default: named('default', { imagePullSecrets: [{ name: 'pull' }] }),
    plain: named('plain', { automountServiceAccountToken: false }),
    strict: named(
      'strict',
      { secrets: [{ name: 'own' }] },
      { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
    ),
  };
  const waits: number[] = [];
  let whileWaiting = (): void => undefined;
  const plugin = serviceAccount({
    serviceAccount: (_namespace, name) => accounts[name],
    nameSuffix: () => 'abcde',
    random: () => 0.5,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
      whileWaiting();
    },
  });
  const admit = (object: KubernetesObject) => admitted(plugin, admissionRequest('pods', object));
  const mount = {
    name: 'kube-api-access-abcde',
    readOnly: true,
    mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
  };

  it('sets account, pull secrets and token volume of a pod', async () => {
    expect((await admit(pod({ initContainers: [{ name: 'i' }] }))).spec).toEqual({
      serviceAccountName: 'default',
      serviceAccount: 'default',
      imagePullSecrets: [{ name: 'pull' }],
      initContainers: [{ name: 'i', volumeMounts: [mount] }],
      containers: [{ name: 'c', volumeMounts: [mount] }],
      volumes: [
        {
          name: 'kube-api-access-abcde',
          projected: {
            defaultMode: 420,
            sources: [
              { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
              { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
              {
                downwardAPI: {
                  items: [
                    { path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } },
                  ],
                },
              },
            ],
          },
        },
      ],
    });
  });

  it('mounts no token when the pod, the account or another mount prevents it', async () => {
    expect((await admit(pod({ automountServiceAccountToken: false }))).spec).not.toHaveProperty('volumes');
    expect((await admit(pod({ serviceAccountName: 'plain' }))).spec).toEqual({
      containers: [{ name: 'c' }],
      serviceAccountName: 'plain',
      serviceAccount: 'plain',
    });
    const own = { name: 'c', volumeMounts: [{ name: 'own', mountPath: mount.mountPath }] };
    expect(
      (await admit(pod({ containers: [own], imagePullSecrets: [{ name: 'mine' }] }))).spec,
    ).toMatchObject({
      containers: [own],
      imagePullSecrets: [{ name: 'mine' }],
    });
  });

  it('waits for the default account of a new namespace and rejects the pod when it stays absent', async () => {
    const { default: account } = accounts;
    delete accounts['default'];
    waits.length = 0;
    whileWaiting = () => {
      if (waits.length === 4) accounts['default'] = account!;
    };
    expect((await admit(pod())).spec).toMatchObject({
      serviceAccountName: 'default',
      imagePullSecrets: [{ name: 'pull' }],
    });
    expect(waits).toEqual([150, 150, 150, 150]);

    whileWaiting = () => undefined;
    delete accounts['default'];
    waits.length = 0;
    await expect(admit(pod())).rejects.toMatchObject({
      code: 403,
      message:
        'pods "p" is forbidden: error looking up service account n/default: serviceaccount "default" not found',
    });
    expect(waits).toEqual(Array.from({ length: 9 }, () => 150));
    accounts['default'] = account!;
  });

  it.each([
    ['a/b', `invalid resource name "a/b": [may not contain '/']`],
    ['a/%', `invalid resource name "a/%": [may not contain '/' may not contain '%']`],
    ['..', `invalid resource name "..": [may not be '..']`],
    ['A_b', 'serviceaccount "A_b" not found'],
  ])('says what is wrong with the name %j', async (name, text) => {
    await expect(admit(pod({ serviceAccountName: name }))).rejects.toMatchObject({
      code: 403,
      message: `pods "p" is forbidden: error looking up service account n/${name}: ${text}`,
    });
  });

  it('rejects another missing account without waiting', async () => {
    waits.length = 0;
    await expect(admit(pod({ serviceAccountName: 'absent' }))).rejects.toMatchObject({ code: 403 });
    expect(waits).toEqual([]);
  });

  it('rejects forbidden references', async () => {
    await expect(admit(pod({ serviceAccountName: 'absent' }))).rejects.toMatchObject({
      code: 403,
      message:
        'pods "p" is forbidden: error looking up service account n/absent: serviceaccount "absent" not found',
    });
    const foreign = (spec: object, text: string) =>
      expect(admit(pod({ serviceAccountName: 'strict', ...spec }))).rejects.toMatchObject({
        code: 403,
        message: `pods "p" is forbidden: ${text}`,
      });
    const because = 'is not allowed because service account strict does not reference that';
    await admit(
      pod({ serviceAccountName: 'strict', volumes: [{ name: 'v', secret: { secretName: 'own' } }] }),
    );
    await foreign(
      { volumes: [{ name: 'v', secret: { secretName: 'other' } }] },
      `volume with secret.secretName="other" ${because} secret`,
    );
    await foreign(
      { containers: [{ name: 'c', env: [{ name: 'E', valueFrom: { secretKeyRef: { name: 'other' } } }] }] },
      `container c with envVar E referencing secret.secretName="other" ${because} secret`,
    );
    await foreign(
      { initContainers: [{ name: 'i', envFrom: [{ secretRef: { name: 'other' } }] }] },
      `init container i with envFrom referencing secret.secretName="other" ${because} secret`,
    );
    await foreign(
      { imagePullSecrets: [{ name: 'pull' }] },
      `imagePullSecrets[0].name="pull" ${because} imagePullSecret`,
    );
    const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } };
    expect((await admit(pod({}, mirror))).spec).toEqual({ containers: [{ name: 'c' }] });
    await expect(admit(pod({ serviceAccountName: 'default' }, mirror))).rejects.toMatchObject({
      message: 'pods "p" is forbidden: a mirror pod may not reference service accounts',
    });
  });
});

describe('Priority', () => {
  const high = named('high', { value: 10, preemptionPolicy: 'Never' });
  const make = (...classes: KubernetesObject[]) =>
    priority({
      priorityClass: (name) => classes.find(({ metadata }) => metadata?.name === name),
      priorityClasses: () => classes,
    });
  const admit = (object: KubernetesObject, ...classes: KubernetesObject[]) =>
    admitted(make(...classes), admissionRequest('pods', object));

  it('is set from the class or the default class', async () => {
    expect((await admit(pod())).spec).toMatchObject({
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
    });
    expect((await admit(pod({ priorityClassName: 'high' }), high)).spec).toMatchObject({
      priority: 10,
      preemptionPolicy: 'Never',
    });
    expect((await admit(pod(), high, named('usual', { value: 3, globalDefault: true }))).spec).toMatchObject({
      priority: 3,
      priorityClassName: 'usual',
    });
  });

  it('rejects unknown classes and conflicting values', async () => {
    await expect(admit(pod({ priorityClassName: 'absent' }))).rejects.toMatchObject({
      code: 403,
      message: 'pods "p" is forbidden: no PriorityClass with name absent was found',
    });
    await expect(admit(pod({ priority: 5 }))).rejects.toMatchObject({
      message:
        'pods "p" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    });
  });

  it('is preserved by updates and allows one default class', async () => {
    const request = admissionRequest('pods', pod(), {
      operation: 'UPDATE',
      oldObject: pod({ priority: 7, preemptionPolicy: 'Never' }),
    });
    expect((await admitted(make(), request)).spec).toMatchObject({ priority: 7, preemptionPolicy: 'Never' });
    const usual = named('usual', { value: 3, globalDefault: true });
    const ofClass = (object: KubernetesObject, operation: 'CREATE' | 'UPDATE') =>
      admitted(
        make(usual),
        admissionRequest('priorityclasses', object, {
          operation,
          resource: { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' },
        }),
      );
    await expect(ofClass(named('second', { globalDefault: true }), 'CREATE')).rejects.toMatchObject({
      code: 403,
    });
    await ofClass(usual, 'UPDATE');
  });
});

describe('defaults of other kinds', () => {
  it('sets tolerations for unavailable nodes', async () => {
    const given = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' };
    const unreachable = {
      key: 'node.kubernetes.io/unreachable',
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    };
    const tolerations = async (list: unknown[]) =>
      (
        (await admitted(defaultTolerationSeconds(), admissionRequest('pods', pod({ tolerations: list }))))
          .spec as { tolerations: unknown }
      ).tolerations;
    expect(await tolerations([given])).toEqual([given, unreachable]);
    expect(await tolerations([{ operator: 'Exists' }])).toEqual([{ operator: 'Exists' }]);
  });

  it('sets finalizers and taints', async () => {
    expect(
      (await admitted(storageObjectInUseProtection(RULES), admissionRequest('persistentvolumes', named('v'))))
        .metadata?.finalizers,
    ).toEqual(['kubernetes.io/pv-protection']);
    expect(
      (
        await admitted(
          storageObjectInUseProtection(RULES),
          admissionRequest(
            'persistentvolumeclaims',
            named('c', {}, { finalizers: ['kubernetes.io/pvc-protection'] }),
          ),
        )
      ).metadata?.finalizers,
    ).toEqual(['kubernetes.io/pvc-protection']);
    expect((await admitted(taintNodesByCondition, admissionRequest('nodes', named('x')))).spec).toEqual({
      taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
    });
  });

  it('sets the newest default class unless one is named', async () => {
    const storage = (name: string, creationTimestamp: string) =>
      named(
        name,
        {},
        { creationTimestamp, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      );
    const plugin = defaultStorageClass({
      storageClasses: () => [
        storage('b', '2026-01-01T00:00:00Z'),
        storage('c', '2026-01-02T00:00:00Z'),
        storage('a', '2026-01-02T00:00:00Z'),
        named('z'),
      ],
    });
    const claim = async (spec: object, metadata = {}) =>
      (await admitted(plugin, admissionRequest('persistentvolumeclaims', named('p', { spec }, metadata))))
        .spec;
    expect(await claim({})).toEqual({ storageClassName: 'a' });
    expect(await claim({ storageClassName: '' })).toEqual({ storageClassName: '' });
    expect(await claim({}, { annotations: { 'volume.beta.kubernetes.io/storage-class': 'x' } })).toEqual({});
    const ingress = defaultIngressClass({
      ingressClasses: async () => [
        named('i', {}, { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } }),
      ],
    });
    const resource = { group: 'networking.k8s.io', version: 'v1', resource: 'ingresses' };
    expect((await admitted(ingress, admissionRequest('ingresses', named('x'), { resource }))).spec).toEqual({
      ingressClassName: 'i',
    });
  });

  it('applies runtime classes', async () => {
    const heavy = named('heavy', {
      overhead: { podFixed: { cpu: '1' } },
      scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k' }] },
    });
    const plugin = runtimeClass({ runtimeClass: (name) => (name === 'heavy' ? heavy : undefined) });
    const admit = async (spec: object) => (await admitted(plugin, admissionRequest('pods', pod(spec)))).spec;
    expect(await admit({ runtimeClassName: 'heavy' })).toMatchObject({
      overhead: { cpu: '1' },
      nodeSelector: { a: 'b' },
      tolerations: [{ key: 'k' }],
    });
    await expect(admit({ runtimeClassName: 'none' })).rejects.toMatchObject({
      message: 'pods "p" is forbidden: pod rejected: RuntimeClass "none" not found',
    });
    await expect(admit({ runtimeClassName: 'heavy', nodeSelector: { a: 'c' } })).rejects.toMatchObject({
      code: 403,
    });
    await expect(admit({ overhead: { cpu: '1' } })).rejects.toMatchObject({
      message:
        'pods "p" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    });
  });
});

describe('PersistentVolumeClaimResize', () => {
  const plugin = persistentVolumeClaimResize({
    storageClass: (name) => (name === 'elastic' ? named(name, { allowVolumeExpansion: true }) : named(name)),
  });
  const claim = (storage: string, storageClassName?: string) =>
    named('p', { spec: { resources: { requests: { storage } }, storageClassName } });
  const resize = (from: KubernetesObject, to: KubernetesObject) =>
    admitted(
      plugin,
      admissionRequest('persistentvolumeclaims', to, { operation: 'UPDATE', oldObject: from }),
    );

  it('requires a class that allows expansion', async () => {
    await resize(claim('1Gi', 'elastic'), claim('2Gi', 'elastic'));
    await resize(claim('1Gi'), claim('1024Mi'));
    const text =
      'persistentvolumeclaims "p" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
    await expect(resize(claim('1Gi', 'fixed'), claim('2Gi', 'fixed'))).rejects.toMatchObject({
      code: 403,
      message: text,
    });
    await expect(resize(claim('1Gi'), claim('2Gi'))).rejects.toMatchObject({ code: 403, message: text });
  });
});

describe('certificate requests', () => {
  const mayOn = (...signers: string[]): Authorizer => ({
    name: 'x',
    authorize: ({ verb, name }) => ({
      decision: signers.includes(`${verb} ${name}`) ? 'allow' : 'no-opinion',
      reason: '',
    }),
  });
  const resource = { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' };
  const csr = (status: object = {}) => named('c', { spec: { signerName: 'a.test/b' }, status });
  const update = (subresource: string, status: object = {}) =>
    admissionRequest('', csr(status), { operation: 'UPDATE', oldObject: csr(), resource, subresource });

  it('require permission to approve and sign', async () => {
    await admitted(certificateApproval(mayOn('approve a.test/b')), update('approval'));
    await admitted(certificateApproval(mayOn('approve a.test/*')), update('approval'));
    await expect(
      admitted(certificateApproval(mayOn('sign a.test/b')), update('approval')),
    ).rejects.toMatchObject({
      code: 403,
      message:
        'certificatesigningrequests.certificates.k8s.io "c" is forbidden: user not permitted to approve requests with signerName "a.test/b"',
    });
    await admitted(certificateSigning(mayOn()), update('status'));
    await expect(
      admitted(certificateSigning(mayOn()), update('status', { certificate: 'x' })),
    ).rejects.toMatchObject({ code: 403 });
    await admitted(certificateSigning(mayOn('sign a.test/b')), update('status', { certificate: 'x' }));
  });
});
