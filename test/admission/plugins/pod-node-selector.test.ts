import { describe, expect, it } from 'vitest';
import { podNodeSelector } from '../../../src/admission/plugins/pod-node-selector.ts';
import { admissionRequest, admitted, pod } from '../fixtures.ts';

const KEY = 'scheduler.alpha.kubernetes.io/node-selector';
const pods = (spec: object) => admissionRequest('pods', pod(spec));
const plugin = (annotation: string | undefined, selectors: Record<string, string> = {}) =>
  podNodeSelector({
    namespace: () => ({
      metadata: {
        annotations: annotation === undefined ? ({} as Record<string, string>) : { [KEY]: annotation },
      },
    }),
    nodeSelectors: new Map(Object.entries(selectors)),
  });

describe('PodNodeSelector', () => {
  it('merges the selector of the namespace and rejects conflicts', async () => {
    const own = plugin('zone=a, disk = ssd', { clusterDefaultNodeSelector: 'zone=b' });
    expect((await admitted(own, pods({ nodeSelector: { zone: 'a', own: 'x' } }))).spec).toMatchObject({
      nodeSelector: { zone: 'a', own: 'x', disk: 'ssd' },
    });
    await expect(admitted(own, pods({ nodeSelector: { zone: 'b' } }))).rejects.toThrow(
      'pods "p" is forbidden: pod node label selector conflicts with its namespace node label selector',
    );
  });

  it('uses the default of the cluster in namespaces without annotation', async () => {
    const common = plugin(undefined, { clusterDefaultNodeSelector: 'zone=common' });
    expect((await admitted(common, pods({}))).spec).toMatchObject({ nodeSelector: { zone: 'common' } });
    expect((await admitted(plugin(''), pods({}))).spec).not.toHaveProperty('nodeSelector');
  });

  it('restricts pods to the selector that is configured for their namespace', async () => {
    const listed = plugin(undefined, { n: 'zone=a,disk=ssd' });
    await admitted(listed, pods({ nodeSelector: { zone: 'a' } }));
    await expect(admitted(listed, pods({ nodeSelector: { other: 'x' } }))).rejects.toThrow(
      'pods "p" is forbidden: pod node label selector labels conflict with its namespace whitelist',
    );
  });

  it.each([
    ['a in (b)', 'invalid selector: [a in (b)]'],
    ['a==b', 'invalid selector: [a  b]'],
    [' =b', '<nil>: Invalid value: "": name part must be non-empty; name part must consist of'],
    ['a=b c', '[a]: Invalid value: "b c": a valid label must be'],
  ])('answers 500 for the annotation %j', async (annotation, message) => {
    await expect(admitted(plugin(annotation), pods({}))).rejects.toMatchObject({
      code: 500,
      reason: '',
      message: expect.stringContaining(message) as string,
    });
  });

  it('answers 500 for an absent namespace', async () => {
    const none = podNodeSelector({ namespace: () => undefined, nodeSelectors: new Map() });
    await expect(admitted(none, pods({}))).rejects.toMatchObject({
      code: 500,
      message: 'Internal error occurred: namespace n does not exist',
    });
  });

  it('treats __proto__ as a key', async () => {
    await expect(admitted(plugin('__proto__=a'), pods({}))).rejects.toThrow('Invalid value: "__proto__"');
  });
});
