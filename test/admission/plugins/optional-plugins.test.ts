import { describe, expect, it } from 'vitest';
import { alwaysDeny } from '../../../src/admission/plugins/always-deny.ts';
import { alwaysPullImages } from '../../../src/admission/plugins/always-pull-images.ts';
import { clusterTrustBundleAttest } from '../../../src/admission/plugins/certificate-signers.ts';
import { certificateSubjectRestriction } from '../../../src/admission/plugins/certificate-subject-restriction.ts';
import { denyServiceExternalIPs } from '../../../src/admission/plugins/deny-service-external-ips.ts';
import { extendedResourceToleration } from '../../../src/admission/plugins/extended-resource-toleration.ts';
import { limitPodHardAntiAffinityTopology } from '../../../src/admission/plugins/limit-pod-hard-anti-affinity-topology.ts';
import { namespaceExists } from '../../../src/admission/plugins/namespace-exists.ts';
import { admissionRequest, admitted, pod } from '../fixtures.ts';

const pods = (spec: object, changes = {}) => admissionRequest('pods', pod(spec), changes);

describe('AlwaysPullImages', () => {
  it('sets Always on new pods and leaves existing images unchanged', async () => {
    const containers = () => [{ name: 'c', image: 'i', imagePullPolicy: 'Never' }];
    const made = await admitted(
      alwaysPullImages,
      pods({ containers: containers(), initContainers: containers() }),
    );
    expect(made.spec).toMatchObject({
      containers: [{ imagePullPolicy: 'Always' }],
      initContainers: [{ imagePullPolicy: 'Always' }],
    });
    const kept = await admitted(
      alwaysPullImages,
      pods(
        { containers: containers() },
        { operation: 'UPDATE', oldObject: pod({ containers: containers() }) },
      ),
    );
    expect(kept.spec).toMatchObject({ containers: [{ imagePullPolicy: 'Never' }] });
    const unchanged = { ...alwaysPullImages, admit: () => undefined };
    await expect(admitted(unchanged, pods({ containers: containers() }))).rejects.toThrow(
      'pods "p" is forbidden: spec.containers[0].imagePullPolicy: Unsupported value: "Never": supported values: "Always"',
    );
  });
});

describe('AlwaysPullImages on subresources', () => {
  it('leaves the policy of ephemeral containers unchanged', () => {
    expect(alwaysPullImages.handles('UPDATE', '', 'pods', 'ephemeralcontainers')).toBe(false);
  });
});

describe('AlwaysDeny', () => {
  it('rejects every request', async () => {
    await expect(admitted(alwaysDeny, pods({}))).rejects.toThrow(
      'pods "p" is forbidden: admission control is denying all modifications',
    );
  });
});

describe('DenyServiceExternalIPs', () => {
  it('allows removal of external IPs and rejects new ones', async () => {
    const service = (...externalIPs: string[]) => ({ metadata: { name: 's' }, spec: { externalIPs } });
    await admitted(denyServiceExternalIPs, admissionRequest('services', service()));
    await admitted(
      denyServiceExternalIPs,
      admissionRequest('services', service('10.0.0.1'), {
        operation: 'UPDATE',
        oldObject: service('10.0.0.1', '10.0.0.2'),
      }),
    );
    const other = admissionRequest('services', service('10.0.0.3'), {
      operation: 'UPDATE',
      oldObject: service('10.0.0.1'),
    });
    await expect(admitted(denyServiceExternalIPs, other)).rejects.toThrow(
      'services "s" is forbidden: Use of external IPs is denied by admission control',
    );
  });
});

describe('ExtendedResourceToleration', () => {
  it('adds one toleration per requested extended resource', async () => {
    const asking = {
      containers: [
        {
          name: 'c',
          resources: {
            requests: { 'b.test/gpu': '1', 'a.test/gpu': '1', cpu: '1', 'x.kubernetes.io/y': '1' },
          },
        },
      ],
    };
    const toleration = (key: string) => ({ key, operator: 'Exists', effect: 'NoSchedule' });
    const made = await admitted(
      extendedResourceToleration,
      pods({ ...asking, tolerations: [toleration('b.test/gpu')] }),
    );
    expect((made.spec as { tolerations: unknown }).tolerations).toEqual([
      toleration('b.test/gpu'),
      toleration('a.test/gpu'),
    ]);
    expect((await admitted(extendedResourceToleration, pods({}))).spec).not.toHaveProperty('tolerations');
  });
});

describe('LimitPodHardAntiAffinityTopology', () => {
  it('allows the hostname topology only', async () => {
    const apart = (topologyKey: string) => ({
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey }] } },
    });
    await admitted(limitPodHardAntiAffinityTopology, pods(apart('kubernetes.io/hostname')));
    await expect(admitted(limitPodHardAntiAffinityTopology, pods(apart('zone')))).rejects.toThrow(
      'affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed',
    );
  });
});

describe('NamespaceExists', () => {
  it('rejects objects in an absent namespace', async () => {
    const none = namespaceExists({ namespace: () => undefined });
    await expect(admitted(none, pods({}))).rejects.toThrow('namespaces "n" not found');
    await admitted(none, admissionRequest('nodes', { metadata: { name: 'x' } }, { namespace: '' }));
    await admitted(namespaceExists({ namespace: () => ({}) }), pods({}));
  });
});

describe('ClusterTrustBundleAttest', () => {
  it('requires permission for the signer or its domain', async () => {
    const request = (signerName?: string) =>
      admissionRequest(
        'clustertrustbundles',
        { metadata: { name: 'b' }, spec: { signerName } },
        { resource: { group: 'certificates.k8s.io', version: 'v1alpha1', resource: 'clustertrustbundles' } },
      );
    const plugin = (allowed: string) =>
      clusterTrustBundleAttest({
        name: 't',
        authorize: ({ name, verb }) => ({
          decision: verb === 'attest' && name === allowed ? 'allow' : 'no-opinion',
          reason: '',
        }),
      });
    await admitted(plugin('none'), request());
    await admitted(plugin('a.test/*'), request('a.test/s'));
    await expect(admitted(plugin('b.test/*'), request('a.test/s'))).rejects.toThrow(
      'user not permitted to attest for signerName "a.test/s"',
    );
  });
});

describe('CertificateSubjectRestriction', () => {
  const element = (tag: number, ...content: (Buffer | number[])[]): Buffer => {
    const body = Buffer.concat(content.map((part) => Buffer.from(part)));
    return Buffer.concat([
      Buffer.from(body.length < 128 ? [tag, body.length] : [tag, 0x82, body.length >> 8, body.length & 255]),
      body,
    ]);
  };
  const attribute = (type: number, value: string, tag = 0x0c) =>
    element(0x31, element(0x30, [0x06, 0x03, 0x55, 0x04, type], element(tag, Buffer.from(value))));
  const csr = (...subject: Buffer[]) =>
    element(0x30, element(0x30, [0x02, 0x01, 0x00], element(0x30, ...subject), element(0x30)), element(0x30));
  const sendRequest = (der: Buffer, signerName = 'kubernetes.io/kube-apiserver-client') => {
    const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    const resource = { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' };
    const object = {
      metadata: { name: 'r' },
      spec: { signerName, request: Buffer.from(pem).toString('base64') },
    };
    return admitted(
      certificateSubjectRestriction,
      admissionRequest('certificatesigningrequests', object, { resource }),
    );
  };
  const text = 'use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed';

  it('rejects system:masters at any position of the subject', async () => {
    await sendRequest(csr(attribute(3, 'system:masters'), attribute(10, 'developers')));
    await sendRequest(csr(attribute(10, 'system:masters')), 'example.test/other');
    await expect(sendRequest(csr(attribute(10, 'system:masters')))).rejects.toThrow(text);
    await expect(
      sendRequest(
        csr(attribute(10, 'x'.repeat(200)), attribute(3, 'u'), attribute(10, 'system:masters', 0x13)),
      ),
    ).rejects.toThrow(text);
    await expect(
      sendRequest(csr(attribute(10, [...'system:masters'].map((letter) => `\0${letter}`).join(''), 0x1e))),
    ).rejects.toThrow(text);
  });

  it('rejects an unparsable request', async () => {
    await expect(sendRequest(Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]))).rejects.toThrow(
      'could not be parsed',
    );
    await expect(sendRequest(Buffer.alloc(0))).rejects.toThrow('could not be parsed');
  });
});
