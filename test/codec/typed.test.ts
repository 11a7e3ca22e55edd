import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../src/codec/decode-error.ts';
import { parseJson } from '../../src/codec/json-parse.ts';
import {
  type DecodeOptions,
  fromPlain as decodeAtOnce,
  decodingPlain,
  toPlain,
} from '../../src/codec/typed.ts';
import { RawJson } from '../../src/model/object.ts';
import type { MessageType } from '../../src/schema/message.ts';
import { runNow } from '../../src/steps/run.ts';
import { messageType } from '../support/types.ts';

/** Decodes at once, and in steps with the same outcome. */
function fromPlain(type: MessageType, plain: unknown, options?: DecodeOptions) {
  const outcomeOf = (decode: () => unknown): unknown => {
    try {
      return decode();
    } catch (error) {
      return error;
    }
  };
  const inSteps = outcomeOf(() => runNow(decodingPlain(type, plain, options)));
  expect(inSteps).toEqual(outcomeOf(() => decodeAtOnce(type, plain, options)));
  return decodeAtOnce(type, plain, options);
}

const decode = (type: string, text: string) =>
  fromPlain(messageType(type), parseJson(Buffer.from(text)).value);
const value = (type: string, text: string) => decode(type, text).value;
const inside = (value: unknown, ...path: (string | number)[]) =>
  path.reduce<unknown>((outer, key) => (outer as Record<string, unknown>)[key], value);

it('reads the neutral spelling of schema extensions', () => {
  const { value: schema, unknown } = decode(
    'apiextensions_v1.JSONSchemaProps',
    '{"x-cluster-list-type":"map","x-cluster-list-map-keys":["a"],"x-cluster-other":1}',
  );
  expect(schema).toEqual({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] });
  expect(unknown).toHaveLength(1);
});

describe('integers beyond 32 bits', () => {
  const spec = (replicas: unknown, options?: { restores: boolean }) =>
    fromPlain(messageType('apps_v1.DeploymentSpec'), { replicas }, options).value;

  it('lose their upper bits in merged objects', () => {
    const wraps = { restores: true };
    expect(spec(4294967298, wraps)).toEqual({ replicas: 2 });
    expect(spec(2147483648, wraps)).toEqual({ replicas: -2147483648 });
    expect(spec(9223372036854775807n, wraps)).toEqual({ replicas: -1 });
    expect(() => spec(9223372036854775808n, wraps)).toThrow('cannot convert float64 to int32');
  });

  it('are refused in documents, and in an int-or-string always', () => {
    expect(() => spec(4294967298)).toThrow(/type int32/);
    const port = { port: 4294967298 };
    expect(() => fromPlain(messageType('networking_v1.NetworkPolicyPort'), port, { restores: true })).toThrow(
      /int32/,
    );
  });
});

// Recorded from strategic merge patches.
it.each([
  ['meta_v1.ObjectMeta', { labels: 'x' }, 'cannot restore map from string'],
  ['meta_v1.ObjectMeta', { labels: ['x'] }, 'cannot restore map from slice'],
  ['meta_v1.ObjectMeta', { labels: { a: 1 } }, 'cannot convert int64 to string'],
  ['meta_v1.ObjectMeta', { labels: { a: 1.5 } }, 'unrecognized type: string'],
  ['meta_v1.ObjectMeta', { uid: 5 }, 'cannot convert int64 to types.UID'],
  ['meta_v1.ObjectMeta', { uid: true }, 'unrecognized type: string'],
  ['meta_v1.ObjectMeta', { finalizers: {} }, 'cannot restore slice from map'],
  ['meta_v1.ObjectMeta', { generation: 1.5 }, 'cannot convert float64 to int64'],
  ['meta_v1.ObjectMeta', { generation: 'x' }, 'unrecognized type: int64'],
  [
    'meta_v1.ObjectMeta',
    { creationTimestamp: 5 },
    'json: cannot unmarshal number into Go value of type string',
  ],
  ['core_v1.PodSpec', { securityContext: 'x' }, 'cannot restore struct from: string'],
  ['core_v1.ResourceRequirements', { limits: 5 }, 'cannot restore map from int64'],
  ['core_v1.ServicePort', { targetPort: true }, 'json: cannot unmarshal bool into Go value of type int32'],
  ['core_v1.Secret', { data: { a: '!' } }, 'error decoding from json: illegal base64 data at input byte 0'],
  ['core_v1.Secret', { immutable: 'x' }, 'unrecognized type: bool'],
])('a merged %s of %j is refused when it is restored', (type, plain, message) => {
  expect(() => fromPlain(messageType(type), plain, { restores: true })).toThrow(new DecodeError(message));
});

describe('fromPlain', () => {
  it.each([
    ['core_v1.ConfigMap', '"x"', 'json: cannot unmarshal string into Go value of type v1.ConfigMap'],
    [
      'core_v1.ConfigMap',
      '{"metadata":"a"}',
      'json: cannot unmarshal string into Go struct field ConfigMap.metadata of type v1.ObjectMeta',
    ],
    [
      'core_v1.ConfigMap',
      '{"metadata":{"name":{}}}',
      'json: cannot unmarshal object into Go struct field ObjectMeta.metadata.name of type string',
    ],
    [
      'core_v1.ConfigMap',
      '{"immutable":"true"}',
      'json: cannot unmarshal string into Go struct field ConfigMap.immutable of type bool',
    ],
    [
      'core_v1.ConfigMap',
      '{"data":5}',
      'json: cannot unmarshal number into Go struct field ConfigMap.data of type map[string]string',
    ],
    [
      'core_v1.ConfigMap',
      '{"data":{"a":5}}',
      'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
    [
      'core_v1.ConfigMap',
      '{"metadata":{"labels":[]}}',
      'json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string',
    ],
    [
      'core_v1.ConfigMap',
      '{"metadata":{"creationTimestamp":"yesterday"}}',
      'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
    ],
    [
      'core_v1.Event',
      '{"firstTimestamp":5}',
      'json: cannot unmarshal number into Go struct field Event.firstTimestamp of type string',
    ],
    [
      'coordination_v1.Lease',
      '{"spec":{"renewTime":5}}',
      'json: cannot unmarshal number into Go struct field LeaseSpec.spec.renewTime of type string',
    ],
    [
      'core_v1.ServiceAccount',
      '{"secrets":{}}',
      'json: cannot unmarshal object into Go struct field ServiceAccount.secrets of type []v1.ObjectReference',
    ],
    [
      'core_v1.Pod',
      '{"spec":{"containers":[{"name":1}]}}',
      'json: cannot unmarshal number into Go struct field Container.spec.containers.name of type string',
    ],
    ['core_v1.Secret', '{"data":{"a":"AAE"}}', 'illegal base64 data at input byte 0'],
    ['core_v1.Secret', '{"data":{"a":"a=="}}', 'illegal base64 data at input byte 1'],
    [
      'core_v1.Secret',
      '{"data":{"a":[256]}}',
      'json: cannot unmarshal number 256 into Go struct field Secret.data of type uint8',
    ],
    [
      'core_v1.Secret',
      '{"data":{"a":["a"]}}',
      'json: cannot unmarshal string into Go struct field Secret.data of type uint8',
    ],
    [
      'scheduling_v1.PriorityClass',
      '{"value":5.0}',
      'json: cannot unmarshal number 5.0 into Go struct field PriorityClass.value of type int32',
    ],
    [
      'scheduling_v1.PriorityClass',
      '{"value":1e3}',
      'json: cannot unmarshal number 1e3 into Go struct field PriorityClass.value of type int32',
    ],
    [
      'scheduling_v1.PriorityClass',
      '{"value":5.5}',
      'json: cannot unmarshal number 5.5 into Go struct field PriorityClass.value of type int32',
    ],
    [
      'scheduling_v1.PriorityClass',
      '{"value":2147483648}',
      'json: cannot unmarshal number 2147483648 into Go struct field PriorityClass.value of type int32',
    ],
    [
      'scheduling_v1.PriorityClass',
      '{"value":99999999999999999999}',
      'json: cannot unmarshal number 99999999999999999999 into Go struct field PriorityClass.value of type int32',
    ],
    [
      'scheduling_v1.PriorityClass',
      '{"value":true}',
      'json: cannot unmarshal bool into Go struct field PriorityClass.value of type int32',
    ],
    [
      'core_v1.LimitRange',
      '{"spec":{"limits":[{"max":{"cpu":"1 Gi"}}]}}',
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      'core_v1.LimitRange',
      '{"spec":{"limits":[{"max":{"cpu":"1ki"}}]}}',
      "unable to parse quantity's suffix",
    ],
    [
      'core_v1.LimitRange',
      '{"spec":{"limits":[{"max":{"cpu":true}}]}}',
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
  ])('%s: refuses %s', (type, text, message) => {
    expect(() => decode(type, text)).toThrow(new DecodeError(message));
  });

  it('collects unknown members with their paths, including null ones, case-sensitively', () => {
    const text =
      '{"Metadata":{},"metadata":{"Name":"x","labels":{"l":"v"}},"spec":{"containers":[{"name":"c"},{"bar":null,"env":[{"x":1}]}],"y":1},"__proto__":1}';
    const { value, unknown } = decode('core_v1.Pod', text);
    expect(unknown).toEqual([
      'Metadata',
      'metadata.Name',
      'spec.containers[1].bar',
      'spec.containers[1].env[0].x',
      'spec.y',
      '__proto__',
    ]);
    expect(value).toEqual({
      metadata: { labels: { l: 'v' } },
      spec: { containers: [{ name: 'c' }, { env: [{}] }] },
    });
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('reports at most 100 unknown members', () => {
    const many = JSON.stringify(
      Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1])),
    );
    expect(decode('core_v1.Pod', many).unknown).toHaveLength(100);
  });

  it('treats null as absence, and as zero in lists and maps', () => {
    expect(
      value(
        'core_v1.ConfigMap',
        '{"metadata":{"name":"j","labels":null},"data":{"a":null},"immutable":null}',
      ),
    ).toEqual({
      metadata: { name: 'j' },
      data: { a: '' },
    });
    expect(value('core_v1.Pod', '{"spec":{"containers":[null],"nodeSelector":null}}')).toEqual({
      spec: { containers: [{}] },
    });
    expect(fromPlain(messageType('core_v1.Pod'), null)).toEqual({ value: {}, unknown: [] });
  });

  it('drops zero values of non-pointer fields and keeps those of pointers', () => {
    expect(
      value(
        'core_v1.Pod',
        '{"metadata":{"name":"","generation":0},"spec":{"hostNetwork":false,"priority":0,"enableServiceLinks":false,"containers":[]}}',
      ),
    ).toEqual({
      metadata: {},
      spec: { priority: 0, enableServiceLinks: false, containers: [] },
    });
  });

  it('normalizes quantities, times, bytes, numbers', () => {
    const range = value(
      'core_v1.LimitRange',
      '{"spec":{"limits":[{"max":{"a":"1024Mi","b":1,"c":1.5,"d":1e3,"e":" 2 "}}]}}',
    );
    expect(inside(range, 'spec', 'limits', 0, 'max')).toEqual({
      a: '1Gi',
      b: '1',
      c: '1500m',
      d: '1e3',
      e: '2',
    });
    expect(
      value(
        'core_v1.Event',
        '{"firstTimestamp":"2020-01-02T05:04:05.9+02:00","lastTimestamp":"0001-01-01T00:00:00Z"}',
      ),
    ).toEqual({
      firstTimestamp: '2020-01-02T03:04:05Z',
    });
    expect(value('core_v1.Secret', '{"data":{"a":"AB==","b":"AA\\nEC","c":[104,null,255]}}').data).toEqual({
      a: 'AA==',
      b: 'AAEC',
      c: 'aAD/',
    });
    expect(value('core_v1.Pod', '{"metadata":{"generation":9007199254740993}}').metadata!.generation).toBe(
      9007199254740993n,
    );
    expect(value('scheduling_v1.PriorityClass', '{"value":-0}')).toEqual({});
  });

  it('decodes int-or-strings and the unions of schemas', () => {
    const rolling = (text: string) =>
      inside(
        value('apps_v1.Deployment', `{"spec":{"strategy":{"rollingUpdate":{"maxSurge":${text}}}}}`),
        'spec',
        'strategy',
        'rollingUpdate',
        'maxSurge',
      );
    expect([rolling('1'), rolling('"25%"'), rolling('0')]).toEqual([1, '25%', 0]);
    expect(() => rolling('1.5')).toThrow(
      'json: cannot unmarshal number 1.5 into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32',
    );
    const schema =
      '{"items":[{"type":"string"}],"additionalProperties":false,"dependencies":{"a":["b"],"c":{"type":"object"}},"default":{"b":1,"a":12345678901234567890}}';
    expect(value('apiextensions_v1.JSONSchemaProps', schema)).toEqual({
      items: [{ type: 'string' }],
      additionalProperties: false,
      dependencies: { a: ['b'], c: { type: 'object' } },
      default: new RawJson('{"b":1,"a":12345678901234567890}'),
    });
    expect(() => value('apiextensions_v1.JSONSchemaProps', '{"additionalProperties":5}')).toThrow(
      'boolean or JSON schema expected',
    );
  });

  it('refuses recursive types nested beyond the stack', () => {
    expect(() =>
      decode('apiextensions_v1.JSONSchemaProps', `${'{"not":'.repeat(9_999)}{}${'}'.repeat(9_999)}`),
    ).toThrow(DecodeError);
  });

  it('shares no containers with its input', () => {
    const plain = { metadata: { labels: { a: 'b' }, finalizers: ['f'] } };
    const typed = fromPlain(messageType('core_v1.Pod'), plain).value;
    expect(typed).toEqual(plain);
    expect(typed.metadata!.labels).not.toBe(plain.metadata.labels);
    expect(typed.metadata!.finalizers).not.toBe(plain.metadata.finalizers);
  });
});

describe('toPlain', () => {
  it('returns the data that a client would read', () => {
    const typed = fromPlain(messageType('core_v1.Pod'), {
      metadata: { name: 'p', generation: 9007199254740993n },
    }).value;
    expect(toPlain(messageType('core_v1.Pod'), typed, { apiVersion: 'v1', kind: 'Pod' })).toEqual({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'p', generation: 9007199254740993n, creationTimestamp: null },
      spec: { containers: null },
      status: {},
    });
  });

  it('keeps apiVersion and kind where they are fields', () => {
    const reference = { kind: 'Pod', apiVersion: 'v1', name: 'p' };
    expect(toPlain(messageType('core_v1.ObjectReference'), reference)).toEqual(reference);
  });
});

it('decodes a large object in steps', () => {
  const many = <Item>(make: (index: number) => Item) =>
    Array.from({ length: 20_000 }, (_, index) => make(index));
  const data = Object.fromEntries(many((index) => [`k${index}`, 'v']));
  const env = many((index) => ({ name: `v${index}`, other: 1 }));
  for (const [type, plain] of [
    ['core_v1.ConfigMap', { data }],
    ['core_v1.Pod', { spec: { containers: [{ name: 'a', env }] } }],
  ] as const) {
    const steps = decodingPlain(messageType(type), plain);
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses += 1;
    expect(pauses).toBeGreaterThanOrEqual(4);
    expect(step.value).toEqual(decodeAtOnce(messageType(type), plain));
  }
});
