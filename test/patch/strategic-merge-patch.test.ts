import { describe, expect, test } from 'vitest';
import { applyStrategicMergePatch as applyStrategicMergePatchInSteps } from '../../src/patch/index.ts';
import type { MessageType } from '../../src/schema/message.ts';
import { atOnce } from '../support/at-once.ts';
import { messageType } from '../support/types.ts';

const applyStrategicMergePatch = atOnce(applyStrategicMergePatchInSteps);

const PARTS = 20_000;
const podSpec = messageType('core_v1.PodSpec');
const objectMeta = messageType('meta_v1.ObjectMeta');
const strategy = messageType('apps_v1.DeploymentSpec');

describe('strategic merge patch', () => {
  const spec = {
    containers: [
      { name: 'a', image: '1', env: [{ name: 'X', value: '1' }] },
      { name: 'b', image: '2' },
    ],
  };

  test.each([
    [
      'items merge by their key',
      { containers: [{ name: 'b', image: '3' }] },
      { containers: [spec.containers[0], { name: 'b', image: '3' }] },
    ],
    [
      'new items come first',
      { containers: [{ name: 'c', image: '3' }] },
      { containers: [{ name: 'c', image: '3' }, ...spec.containers] },
    ],
    [
      'items are deleted',
      { containers: [{ name: 'a', $patch: 'delete' }] },
      { containers: [spec.containers[1]] },
    ],
    [
      'nested lists merge too',
      {
        containers: [
          {
            name: 'a',
            env: [
              { name: 'Y', value: '2' },
              { name: 'X', $patch: 'delete' },
            ],
          },
        ],
      },
      { containers: [{ name: 'a', image: '1', env: [{ name: 'Y', value: '2' }] }, spec.containers[1]] },
    ],
    [
      'a list is replaced',
      { containers: [{ $patch: 'replace' }, { name: 'z' }] },
      { containers: [{ name: 'z' }] },
    ],
    [
      'an order is set',
      {
        '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
        containers: [{ name: 'b', image: '9' }],
      },
      { containers: [{ name: 'b', image: '9' }, spec.containers[0]] },
    ],
    [
      'lists without a key are replaced',
      { tolerations: [{ key: 'x' }] },
      { ...spec, tolerations: [{ key: 'x' }] },
    ],
    ['null removes', { containers: null }, {}],
    ['a map is replaced', { $patch: 'replace', nodeName: 'n' }, { nodeName: 'n' }],
    [
      'a new map with a directive is left out',
      { securityContext: { $patch: 'merge', runAsUser: 1 }, affinity: { podAffinity: { $patch: 'x' } } },
      { ...spec, affinity: {} },
    ],
    [
      'retained keys of a new map remain, as an unknown field',
      { securityContext: { runAsUser: 1, runAsGroup: null, $retainKeys: ['runAsUser'] } },
      { ...spec, securityContext: { runAsUser: 1, $retainKeys: ['runAsUser'] } },
    ],
    ['a directive of another type removes', { containers: { $patch: 'delete' } }, {}],
    ['items to delete of another type are ignored', { '$deleteFromPrimitiveList/containers': 'x' }, spec],
    ['null instead of items to delete removes', { '$deleteFromPrimitiveList/containers': null }, {}],
    [
      'objects to delete are merged',
      { '$deleteFromPrimitiveList/containers': [{ name: 'b', image: '3' }] },
      { containers: [spec.containers[0], { name: 'b', image: '3' }] },
    ],
    [
      'an item with a null key is new and stays as it is',
      { containers: [{ name: null, image: null }] },
      { containers: [{ name: null, image: null }, ...spec.containers] },
    ],
  ])('%s', (_name, patch, expected) => {
    const before = JSON.stringify([spec, patch]);
    expect(applyStrategicMergePatch(podSpec, spec, patch)).toEqual(expected);
    expect(JSON.stringify([spec, patch])).toBe(before);
  });

  test('primitive lists merge, lose items and are ordered', () => {
    const apply = (finalizers: string[], patch: object): unknown =>
      applyStrategicMergePatch(objectMeta, { finalizers }, patch);
    expect(apply(['a', 'b'], { finalizers: ['c'] })).toEqual({ finalizers: ['c', 'a', 'b'] });
    expect(apply(['a', 'b'], { '$deleteFromPrimitiveList/finalizers': ['a'] })).toEqual({
      finalizers: ['b'],
    });
    expect(
      apply(['d', 'a', 'c'], { '$setElementOrder/finalizers': ['d', 'c', 'a'], finalizers: ['d'] }),
    ).toEqual({ finalizers: ['d', 'c', 'a'] });
  });

  test('retained keys', () => {
    const live = { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } };
    expect(
      applyStrategicMergePatch(strategy, live, { strategy: { $retainKeys: ['type'], type: 'Recreate' } }),
    ).toEqual({ strategy: { type: 'Recreate' } });
    expect(() =>
      applyStrategicMergePatch(strategy, live, { strategy: { $retainKeys: ['type'], rollingUpdate: {} } }),
    ).toThrow('invalid patch format of retainKeys');
  });

  test.each([
    [
      'a missing key',
      { containers: [{ image: 'x' }] },
      'map: map[image:x] does not contain declared merge key: name',
    ],
    [
      'a missing key beside a fraction',
      { containers: [{ image: 1_250_000.5 }] },
      'map: map[image:1.2500005e+06] does not contain declared merge key: name',
    ],
    [
      'an unknown directive',
      { containers: [{ name: 'a', $patch: 'explode' }] },
      'unknown patch type: explode in map: map[$patch:explode name:a]',
    ],
    [
      'an order without the item',
      { '$setElementOrder/containers': [{ name: 'z' }], containers: [{ name: 'a' }] },
      "doesn't match $setElementOrder list",
    ],
    ['lists of lists', { imagePullSecrets: [[1]] }, 'lists of lists are not supported'],
    ['a directive that is no directive of maps', { $patch: 'merge' }, 'unknown patch type: merge'],
    [
      'another type of item',
      { containers: ['x'] },
      'list element types are not identical: [[map[env:[map[name:X value:1]] image:1 name:a] map[image:2 name:b]] [x]]',
    ],
    [
      'a list of objects without a key to delete from',
      { '$deleteFromPrimitiveList/tolerations': [{}] },
      'cannot merge lists without merge key for struct',
    ],
    [
      'an order of an unknown member',
      { '$setElementOrder/nosuch': [] },
      'unable to find api field in struct PodSpec for the json field "nosuch"',
    ],
    [
      'an order of a list that is null',
      { '$setElementOrder/containers': [], containers: null },
      'expected a []interface {}, but received a %!s(<nil>)',
    ],
    ['an order without a slash', { $setElementOrderx: [] }, 'invalid patch format of setElementOrder list'],
    [
      'items to delete without a slash',
      { $deleteFromPrimitiveListx: [] },
      'invalid patch format of primitive',
    ],
    ['an order that is not a list', { '$setElementOrder/containers': {} }, 'expected a []interface {}'],
  ])('%s is refused', (_name, patch, message) => {
    const live = { ...spec, tolerations: [{}], imagePullSecrets: [] };
    expect(() => applyStrategicMergePatch(podSpec, live, patch)).toThrow(message);
  });

  test('a patch that is not an object is refused', () => {
    expect(() => applyStrategicMergePatch(podSpec, spec, [1])).toThrow(
      'json: cannot unmarshal array into Go value of type map[string]interface {}',
    );
  });

  const many = <T>(make: (index: number) => T): T[] =>
    Array.from({ length: PARTS }, (_, index) => make(index));
  test.each<[string, MessageType, object, object, number]>([
    [
      'scalars',
      objectMeta,
      { finalizers: many((at) => `a${at}`) },
      { finalizers: many((at) => `b${at}`) },
      9,
    ],
    [
      'items',
      podSpec,
      { volumes: many((at) => ({ name: `a${at}` })) },
      { volumes: many((at) => ({ name: `a${at}` })) },
      7,
    ],
    ['members', objectMeta, {}, { labels: Object.fromEntries(many((at) => [`a${at}`, ''])) }, 1],
    [
      'an order',
      podSpec,
      {},
      {
        volumes: many((at) => ({ name: `a${at}` })),
        '$setElementOrder/volumes': many((at) => ({ name: `a${at}` })),
      },
      7,
    ],
  ])('very many %s merge in steps', (_name, type, document, patch, passes) => {
    const steps = applyStrategicMergePatchInSteps(type, document, patch);
    let yields = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) yields += 1;
    expect(step.value).toEqual(applyStrategicMergePatch(type, document, patch));
    expect(yields).toBeGreaterThanOrEqual(Math.floor((passes * PARTS) / 4096));
  });
});
