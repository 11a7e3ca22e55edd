import { describe, expect, it } from 'vitest';
import type { TolerationSettings } from '../../../src/admission/plugin-configuration.ts';
import { podTolerationRestriction } from '../../../src/admission/plugins/pod-toleration-restriction.ts';
import { admissionRequest, admitted, pod } from '../fixtures.ts';

const PREFIX = 'scheduler.alpha.kubernetes.io/';
const given = { key: 'given', operator: 'Equal', value: 'v', effect: 'NoSchedule' };
const NOTHING: TolerationSettings = { added: [], allowed: [] };

function plugin(annotations: { defaults?: string; allowed?: string }, settings = NOTHING) {
  const { defaults, allowed } = annotations;
  return podTolerationRestriction({
    namespace: () => ({
      metadata: {
        annotations: {
          ...(defaults === undefined ? {} : { [`${PREFIX}defaultTolerations`]: defaults }),
          ...(allowed === undefined ? {} : { [`${PREFIX}tolerationsWhitelist`]: allowed }),
        },
      },
    }),
    tolerations: settings,
  });
}
const tolerations = async (one: ReturnType<typeof plugin>, spec: object, changes = {}) =>
  (await admitted(one, admissionRequest('pods', pod(spec), changes))).spec as { tolerations?: object[] };

describe('PodTolerationRestriction', () => {
  it('adds the tolerations of the namespace, or else those of the configuration', async () => {
    const settings = { added: [{ key: 'common', operator: 'Exists' }], allowed: [] };
    const own = plugin({ defaults: JSON.stringify([given]) }, settings);
    expect((await tolerations(own, {})).tolerations).toEqual([given]);
    expect((await tolerations(plugin({}, settings), {})).tolerations).toEqual(settings.added);
    expect(await tolerations(plugin({ defaults: '' }, settings), {})).not.toHaveProperty('tolerations');
  });

  it('adds them to new pods only', async () => {
    const own = plugin({ defaults: JSON.stringify([given]) });
    const changed = await tolerations(own, {}, { operation: 'UPDATE', oldObject: pod() });
    expect(changed).not.toHaveProperty('tolerations');
  });

  it('adds a toleration of memory pressure to pods that request resources', async () => {
    const containers = [{ name: 'c', resources: { requests: { memory: '1Mi' } } }];
    const pressure = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' };
    expect((await tolerations(plugin({}), { containers })).tolerations).toEqual([pressure]);
    await expect(
      tolerations(plugin({ allowed: JSON.stringify([given]) }), { containers }),
    ).rejects.toMatchObject({
      code: 500,
      reason: '',
      message:
        'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist',
    });
  });

  it('takes the quality of service from the status', async () => {
    const object = { ...pod(), status: { qosClass: 'Burstable' } };
    const { spec } = await admitted(plugin({}), admissionRequest('pods', object));
    expect(spec).toMatchObject({ tolerations: [{ key: 'node.kubernetes.io/memory-pressure' }] });
  });

  it('accepts tolerations that an allowed one covers', async () => {
    const allowed = [{ key: 'given', operator: 'Exists' }];
    await tolerations(plugin({}, { added: [], allowed }), { tolerations: [given] });
    await expect(
      tolerations(plugin({}, { added: [], allowed }), { tolerations: [{ operator: 'Exists' }] }),
    ).rejects.toThrow('conflict with its cluster whitelist');
    // The list of the namespace replaces that of the configuration; an empty one allows everything.
    await tolerations(plugin({ allowed: '[]' }, { added: [], allowed }), {
      tolerations: [{ operator: 'Exists' }],
    });
  });

  it.each(['nonsense', '{}', '[1]', '[{"key":5}]'])('answers 500 for the annotation %s', async (defaults) => {
    await expect(tolerations(plugin({ defaults }), {})).rejects.toMatchObject({ code: 500, reason: '' });
  });
});
