import { describe, expect, it } from 'vitest';
import { limitRanger } from '../../../src/admission/plugins/limit-ranger.ts';
import type { LimitRangeItem } from '../../../src/model/generated/core-v1.ts';
import { admissionRequest, admitted, pod } from '../fixtures.ts';

const ranger = (...limits: LimitRangeItem[]) =>
  limitRanger({ limitRanges: () => [{ metadata: { name: 'l' }, spec: { limits } }] });
const container = (resources: object, name = 'c') => ({ name, resources });
const run = (plugin: ReturnType<typeof ranger>, spec: object) =>
  admitted(plugin, admissionRequest('pods', pod(spec)));

describe('limit ranges', () => {
  it('set defaults of containers and record them in an annotation', async () => {
    const plugin = ranger({
      type: 'Container',
      default: { cpu: '500m', memory: '1Gi' },
      defaultRequest: { cpu: '100m' },
    });
    const made = await run(plugin, {
      containers: [
        container({ limits: { cpu: '1' } }),
        container({ requests: { cpu: '1' }, limits: { cpu: '2', memory: '1' } }, 'd'),
      ],
      initContainers: [{ name: 'i' }],
    });
    expect(made.spec).toEqual({
      containers: [
        container({ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '100m' } }),
        container({ requests: { cpu: '1' }, limits: { cpu: '2', memory: '1' } }, 'd'),
      ],
      initContainers: [container({ requests: { cpu: '100m' }, limits: { cpu: '500m', memory: '1Gi' } }, 'i')],
    });
    expect(made.metadata!.annotations).toEqual({
      'kubernetes.io/limit-ranger':
        'LimitRanger plugin set: cpu request for container c; memory limit for container c; cpu request for init container i; cpu, memory limit for init container i',
    });
  });

  it.each<[string, LimitRangeItem, object, string]>([
    [
      'least',
      { type: 'Container', min: { cpu: '1' } },
      {},
      'minimum cpu usage per Container is 1.  No request is specified',
    ],
    [
      'most',
      { type: 'Container', max: { cpu: '1' } },
      {},
      'maximum cpu usage per Container is 1.  No limit is specified',
    ],
    [
      'ratio',
      { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
      { limits: { cpu: '1' } },
      'cpu max limit to request ratio per Container is 2, but no request is specified or request is 0',
    ],
    [
      'ratio exceeded',
      { type: 'Container', maxLimitRequestRatio: { cpu: '1500m' } },
      { limits: { cpu: '2' }, requests: { cpu: '1' } },
      'cpu max limit to request ratio per Container is 1500m, but provided ratio is 2.000000',
    ],
  ])('reject violations: %s', async (_name, item, resources, text) => {
    await expect(run(ranger(item), { containers: [container(resources)] })).rejects.toThrow(
      `pods "p" is forbidden: ${text}`,
    );
  });

  it('add sidecars to containers and take the maximum of init containers', async () => {
    const plugin = ranger({ type: 'Pod', max: { cpu: '3' } });
    const cpu = (amount: string) => ({ resources: { limits: { cpu: amount }, requests: { cpu: amount } } });
    await run(plugin, {
      containers: [{ name: 'c', ...cpu('1') }],
      initContainers: [
        { name: 'a', ...cpu('3') },
        { name: 's', restartPolicy: 'Always', ...cpu('1') },
        { name: 'b', ...cpu('2') },
      ],
    });
    await expect(
      run(plugin, {
        containers: [{ name: 'c', ...cpu('1') }],
        initContainers: [
          { name: 's', restartPolicy: 'Always', ...cpu('1') },
          { name: 'b', ...cpu('2500m') },
        ],
      }),
    ).rejects.toThrow('maximum cpu usage per Pod is 3, but limit is 3500m');
  });

  it('apply to resizes of pods that are not being deleted', async () => {
    const plugin = ranger({ type: 'Container', max: { cpu: '1' }, default: { cpu: '1' } });
    const resized = (changes: object, spec: object = { containers: [container({ limits: { cpu: '2' } })] }) =>
      admitted(plugin, admissionRequest('pods', pod(spec), { operation: 'UPDATE', ...changes }));
    await expect(resized({ subresource: 'resize' })).rejects.toThrow(
      'maximum cpu usage per Container is 1, but limit is 2',
    );
    const completed = await resized({ subresource: 'resize' }, { containers: [container({})] });
    expect(completed.spec).toEqual({ containers: [container({ limits: { cpu: '1' }, requests: {} })] });
    await resized({ subresource: '' });
    await resized({ subresource: 'status' });
    const oldObject = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };
    const left = await resized({ subresource: 'resize', oldObject }, { containers: [container({})] });
    expect(left.spec).toEqual({ containers: [container({})] });
  });

  it('ignore terminating claims', async () => {
    const plugin = ranger({ type: 'PersistentVolumeClaim', max: { storage: '1Gi' } });
    const claim = { metadata: { name: 'c' }, spec: { resources: { requests: { storage: '2Gi' } } } };
    const old = { ...claim, metadata: { name: 'c', deletionTimestamp: '2026-01-01T00:00:00Z' } };
    await admitted(
      plugin,
      admissionRequest('persistentvolumeclaims', claim, { operation: 'UPDATE', oldObject: old }),
    );
    await expect(admitted(plugin, admissionRequest('persistentvolumeclaims', claim))).rejects.toThrow(
      'maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi',
    );
  });
});
