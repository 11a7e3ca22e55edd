import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeCbor } from '../../src/codec/cbor.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

const JSON_TYPE = 'application/json';
const YAML = 'application/yaml';
const CBOR = 'application/cbor';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';
const APPLY_CBOR = 'application/apply-patch+cbor';
const LEVELS = ['Ignore', 'Warn', 'Strict'] as const;

interface Answer {
  status: number;
  warnings: string[];
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  object: any;
}

describe('field validation', () => {
  let cluster: TestCluster;
  let namespace: string;
  beforeAll(async () => {
    cluster = await startCluster({
      controllers: ['-*'],
      disableAdmissionPlugins: ['ServiceAccount'],
      featureGates: ['CBORServingAndStorage=true'],
    });
  });
  afterAll(() => cluster.stop());
  beforeEach(async () => {
    namespace = await cluster.createNamespace('fields');
  });

  const send = async (method: string, path: string, body?: unknown, type = JSON_TYPE): Promise<Answer> => {
    const response = await cluster.fetch(path, { method, body, headers: { 'content-type': type } });
    const header = response.headers.get('warning') ?? '';
    const warnings = [...header.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text]) =>
      text!.replace(/\\(.)/g, '$1'),
    );
    return { status: response.status, warnings, object: await response.json() };
  };
  const deployments = (rest = '') => `/apis/apps/v1/namespaces/${namespace}/deployments${rest}`;

  const ofPod = '"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":';
  const selector = '"selector":{"matchLabels":{"a":"b"}}';
  const json = `{"metadata":{"name":"d","labels":{"x":"1"},"labels":{"x":"2"}},"spec":{"replicas":1,"replicas":2,"one":1,${selector},${ofPod}[{"name":"c","image":"i","two":1},{"name":"e","image":"i","tty":false,"tty":true,"ports":[{"containerPort":80,"three":{"deep":1}}]}]}}},"__proto__":{"x":1}}`;
  const yaml = `metadata: {name: d}
spec:
  replicas: 1
  replicas: 2
  one: 1
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      containers:
      - {name: c, image: i, two: 1}
      - name: e
        image: i
        tty: false
        tty: true
        ports:
        - containerPort: 80
          three: {deep: 1}
`;
  const ports = 'spec.template.spec.containers[1].ports[0]';
  const containers = (...list: object[]) => ({
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: list } },
  });
  const whole = {
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: { a: 'b' } }, ...containers({ name: 'c', image: 'i' }) },
  };
  const cbor = () =>
    writeCbor({
      ...whole,
      spec: {
        ...whole.spec,
        replicas: 2,
        one: 1,
        ...containers(
          { name: 'c', image: 'i', two: 1 },
          { name: 'e', image: 'i', tty: true, ports: [{ containerPort: 80, three: 1 }] },
        ),
      },
    });

  /** The strict decoding errors of a body per encoding, in order; a 400 response joins them. */
  const found: Record<string, { body: () => string | Uint8Array; warnings: string[]; refusal?: string }> = {
    [JSON_TYPE]: {
      body: () => json,
      warnings: [
        'duplicate field "metadata.labels"',
        'duplicate field "spec.replicas"',
        'unknown field "spec.one"',
        'unknown field "spec.template.spec.containers[0].two"',
        'duplicate field "spec.template.spec.containers[1].tty"',
        `unknown field "${ports}.three"`,
        'unknown field "__proto__"',
      ],
    },
    [YAML]: {
      body: () => yaml,
      warnings: [
        'line 4: key "replicas" already set in map',
        'line 15: key "tty" already set in map',
        'unknown field "spec.one"',
        'unknown field "spec.template.spec.containers[0].two"',
        `unknown field "${ports}.three"`,
      ],
      refusal: `yaml: unmarshal errors:\n  line 4: key "replicas" already set in map\n  line 15: key "tty" already set in map, unknown field "spec.one", unknown field "spec.template.spec.containers[0].two", unknown field "${ports}.three"`,
    },
    [CBOR]: {
      body: cbor,
      warnings: [
        'unknown field "spec.template.spec.containers[0].two"',
        `unknown field "${ports}.three"`,
        'unknown field "spec.one"',
      ],
    },
  };
  const cases = Object.keys(found).flatMap((type) =>
    (['POST', 'PUT'] as const).map((method) => [method, type] as const),
  );

  it.each(cases)('%s %s: ignores, warns or rejects', async (method, type) => {
    const { body, warnings, refusal } = found[type]!;
    const path = deployments(method === 'POST' ? '' : '/d');
    if (method === 'PUT') await send('POST', deployments(), whole);
    const write = (level: string) => send(method, `${path}${level}`, body(), type);

    const strict = await write('?fieldValidation=Strict');
    expect([strict.status, strict.warnings, strict.object.message]).toEqual([
      400,
      [],
      `Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: ${refusal ?? warnings.join(', ')}`,
    ]);
    const warned = await write('?fieldValidation=Warn&dryRun=All');
    expect([warned.status, warned.warnings]).toEqual([method === 'POST' ? 201 : 200, warnings]);
    // An absent or empty level means warnings; the first of several values counts.
    for (const level of [
      '?dryRun=All',
      '?fieldValidation=&dryRun=All',
      '?dryRun=All&fieldValidation=Warn&fieldValidation=Strict',
    ])
      expect((await write(level)).warnings).toEqual(warnings);
    const silent = await write('?fieldValidation=Ignore');
    expect([silent.status, silent.warnings]).toEqual([method === 'POST' ? 201 : 200, []]);
    const { spec } = silent.object;
    expect([
      spec.replicas,
      spec.one,
      spec.template.spec.containers[1].tty,
      spec.template.spec.containers[1].ports,
    ]).toEqual([2, undefined, true, [{ containerPort: 80, protocol: 'TCP' }]]);
    expect((await send('GET', deployments('/d'))).object).toEqual(silent.object);
  });

  it.each(LEVELS)('rejects duplicate keys in CBOR: %s', async (level) => {
    const twice = Buffer.concat([
      Buffer.from([0xa2]),
      ...['metadata', 'metadata'].map((name) =>
        Buffer.concat([writeCbor(name).subarray(3), Buffer.from([0xa0])]),
      ),
    ]);
    const { status, object } = await send('POST', deployments(`?fieldValidation=${level}`), twice, CBOR);
    expect([status, object.message]).toEqual([
      400,
      expect.stringContaining(
        'unable to determine group/version/kind: cbor: found duplicate map key "metadata" at map element index 1',
      ),
    ]);
  });

  const patchedContainers = '{"name":"c","two":1},{"name":"e","image":"i","tty":false,"tty":true}';
  const patches: [name: string, type: string, body: string, warnings: string[]][] = [
    [
      'merge',
      MERGE,
      `{"spec":{"one":1,"replicas":1,"replicas":2,"template":{"spec":{"containers":[{"name":"c","image":"i","two":1},{"name":"e","image":"i","tty":false,"tty":true}]}}}}`,
      [
        'duplicate field "spec.replicas"',
        'duplicate field "spec.template.spec.containers[1].tty"',
        'unknown field "spec.one"',
        'unknown field "spec.template.spec.containers[0].two"',
      ],
    ],
    [
      'strategic merge',
      STRATEGIC,
      `{"spec":{"one":1,"replicas":1,"replicas":2,"template":{"spec":{"containers":[${patchedContainers}]}}}}`,
      [
        'duplicate field "spec.replicas"',
        'duplicate field "spec.template.spec.containers[1].tty"',
        'unknown field "spec.one"',
        'unknown field "spec.template.spec.containers[0].two"',
      ],
    ],
    [
      'JSON',
      JSON_PATCH,
      '[{"op":"add","path":"/spec/one","value":1,"extra":true},{"op":"replace","path":"/spec/replicas","value":1,"value":2},{"op":"add","path":"/spec/template/spec/containers/-","value":{"name":"e","image":"i","tty":true,"two":1}}]',
      [
        'json patch unknown field "[0].extra"',
        'json patch duplicate field "[1].value"',
        'unknown field "spec.one"',
        'unknown field "spec.template.spec.containers[1].two"',
      ],
    ],
  ];

  it.each(patches)('a %s patch: ignores, warns or rejects', async (_, type, body, warnings) => {
    const { object: before } = await send('POST', deployments(), whole);
    const patch = (level: string) => send('PATCH', deployments(`/d?fieldValidation=${level}`), body, type);
    const strict = await patch('Strict');
    expect([strict.status, strict.warnings, strict.object.reason]).toEqual([422, [], 'Invalid']);
    expect(strict.object.message).toMatch(/^ "" is invalid: patch: Invalid value: /);
    expect(strict.object.message.slice(strict.object.message.lastIndexOf('strict decoding error: '))).toBe(
      `strict decoding error: ${warnings.join(', ')}`,
    );
    expect(strict.object.details.causes).toHaveLength(1);
    expect((await send('GET', deployments('/d'))).object).toEqual(before);

    const warned = await patch('Warn&dryRun=All');
    expect([warned.status, warned.warnings]).toEqual([200, warnings]);
    const silent = await patch('Ignore');
    expect([silent.status, silent.warnings, silent.object.spec.replicas]).toEqual([200, [], 2]);
    expect(
      silent.object.spec.template.spec.containers.map(({ name, tty, two }: Record<string, unknown>) => [
        name,
        tty,
        two,
      ]),
    ).toEqual([
      ['c', undefined, undefined],
      ['e', true, undefined],
    ]);
  });

  it.each([
    [
      'in the order of the value',
      '[{"op":"add","path":"/metadata/labels","value":{"b":"1","b":"2","a":"1","a":"2"}},{"op":"add","path":"/spec/paused","value":true}]',
      ['[0].value.b', '[0].value.a'],
      ['duplicate field "metadata.labels.b"', 'duplicate field "metadata.labels.a"'],
    ],
    [
      'of an item, by its final index',
      '[{"op":"add","path":"/spec/template/spec/containers/-","value":{"name":"x","name":"e","image":"i"}},{"op":"add","path":"/spec/template/spec/containers/0","value":{"name":"f","image":"i"}}]',
      ['[0].value.name'],
      ['duplicate field "spec.template.spec.containers[2].name"'],
    ],
    [
      'not of an unknown field',
      '[{"op":"add","path":"/spec/one","value":{"a":1,"a":2}}]',
      ['[0].value.a'],
      ['unknown field "spec.one"'],
    ],
    [
      'not of a value that another operation changes',
      '[{"op":"add","path":"/metadata/labels","value":{"b":"1","b":"2"}},{"op":"add","path":"/metadata/labels/c","value":"3"}]',
      ['[0].value.b'],
      [],
    ],
    [
      'not of a value that was removed',
      '[{"op":"add","path":"/metadata/labels","value":{"b":"1","b":"2"}},{"op":"remove","path":"/metadata/labels"}]',
      ['[0].value.b'],
      [],
    ],
  ])(
    'reports duplicates in the value of a JSON patch again in its result, %s',
    async (_, body, first, then) => {
      await send('POST', deployments(), whole);
      const { warnings } = await send(
        'PATCH',
        deployments('/d?fieldValidation=Warn&dryRun=All'),
        body,
        JSON_PATCH,
      );
      expect(warnings).toEqual([...first.map((path) => `json patch duplicate field "${path}"`), ...then]);
    },
  );

  it.each([
    [
      'merge',
      MERGE,
      '{"spec":{"replicas":2,"replicas":3,"x":1},"y":1}',
      ['duplicate field "spec.replicas"', 'unknown field "spec.x"', 'unknown field "y"'],
    ],
    [
      'strategic merge',
      STRATEGIC,
      '{"spec":{"replicas":2,"replicas":3,"x":1}}',
      ['duplicate field "spec.replicas"', 'unknown field "spec.x"'],
    ],
    [
      'JSON',
      JSON_PATCH,
      '[{"op":"add","path":"/spec/replicas","value":2,"value":3,"x":1},{"op":"add","path":"/y","value":1}]',
      ['json patch duplicate field "[0].value"', 'json patch unknown field "[0].x"', 'unknown field "y"'],
    ],
  ])('validates a %s patch of a scale', async (_, type, body, warnings) => {
    await send('POST', deployments(), whole);
    const patch = (level: string, text = body) => send('PATCH', deployments(`/d/scale?${level}`), text, type);
    const strict = await patch('fieldValidation=Strict');
    expect([
      strict.status,
      strict.object.message.endsWith(`: strict decoding error: ${warnings.join(', ')}`),
    ]).toEqual([422, true]);
    const warned = await patch('');
    expect([warned.status, warned.warnings, warned.object.spec]).toEqual([200, warnings, { replicas: 3 }]);
    expect((await patch('fieldValidation=Ignore')).warnings).toEqual([]);
    const forced = await patch('force=true');
    expect([forced.status, forced.object.message]).toEqual([
      422,
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    ]);
    const path =
      type === JSON_PATCH
        ? '[{"op":"add","path":"/metadata/name","value":"e"}]'
        : '{"metadata":{"name":"e"}}';
    expect((await patch('', path)).object.message).toBe(
      'the name of the object (e) does not match the name on the URL (d)',
    );
  });

  it.each(LEVELS)('rejects unknown fields in an applied scale and object: %s', async (level) => {
    await send('POST', deployments(), whole);
    const query = `fieldManager=m&force=true&fieldValidation=${level}`;
    const scale = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'd' },
      spec: { replicas: 2, x: 1 },
    };
    const object = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { replicas: 2, x: 1 },
    };
    for (const [path, configuration] of [
      [`/d/scale?${query}`, scale],
      [`/d?${query}`, object],
    ] as const)
      for (const [type, body] of [
        [APPLY, configuration],
        [APPLY_CBOR, writeCbor(configuration)],
      ] as const) {
        const refused = await send('PATCH', deployments(path), body, type);
        expect([refused.status, refused.object.message.includes('spec.x')]).toEqual([400, true]);
      }
  });

  describe('reports a type error without strict decoding errors', () => {
    const wrong = '{"metadata":{"name":"d"},"spec":{"replicas":"x","replicas":"y","one":1},"two":1}';
    it.each([
      ['POST', JSON_TYPE, wrong, 400],
      ['POST', YAML, 'metadata: {name: d}\nspec: {replicas: x, replicas: z, one: 1}\ntwo: 1\n', 400],
      ['PUT', JSON_TYPE, wrong, 400],
      ['PATCH', MERGE, wrong, 422],
      ['PATCH', STRATEGIC, wrong, 422],
      [
        'PATCH',
        JSON_PATCH,
        '[{"op":"add","path":"/spec/replicas","value":"x","value":"y"},{"op":"add","path":"/two","value":1,"x":1}]',
        422,
      ],
    ])('%s %s', async (method, type, body, status) => {
      if (method !== 'POST') await send('POST', deployments(), whole);
      for (const level of LEVELS) {
        const refused = await send(
          method,
          deployments(`${method === 'POST' ? '' : '/d'}?fieldValidation=${level}`),
          body,
          type,
        );
        expect([refused.status, refused.warnings]).toEqual([status, []]);
        expect(refused.object.message).toMatch(
          type === STRATEGIC
            ? /: unrecognized type: int32$/
            : /json: cannot unmarshal string into Go struct field DeploymentSpec\.spec\.replicas of type int32$/,
        );
      }
    });

    it('sends warnings with the validation errors of a decoded object', async () => {
      const { status, warnings, object } = await send(
        'POST',
        deployments(),
        '{"metadata":{"name":"BAD"},"spec":{},"two":1}',
      );
      expect([status, warnings, object.reason]).toEqual([422, ['unknown field "two"'], 'Invalid']);
    });
  });

  it('reports at most a hundred errors of each kind', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`u${index}`, 1]));
    const { status, object } = await send('POST', deployments('?fieldValidation=Strict'), {
      ...whole,
      ...many,
    });
    expect([status, object.message.match(/unknown field/g).length]).toEqual([400, 100]);
    const { object: made } = await send('POST', deployments(), whole);
    const patched = await send('PATCH', deployments('/d?fieldValidation=Strict'), many, MERGE);
    expect([
      patched.status,
      patched.object.message.match(/unknown field/g).length,
      made.metadata.name,
    ]).toEqual([422, 100, 'd']);
  });

  it.each([
    ['POST', '', 'CreateOptions', JSON_TYPE],
    ['PUT', '/d', 'UpdateOptions', JSON_TYPE],
    ['PUT', '/d/status', 'UpdateOptions', JSON_TYPE],
    ['PUT', '/d/scale', 'UpdateOptions', JSON_TYPE],
    ['PATCH', '/d', 'PatchOptions', MERGE],
    ['PATCH', '/d', 'PatchOptions', STRATEGIC],
    ['PATCH', '/d', 'PatchOptions', JSON_PATCH],
    ['PATCH', '/d', 'PatchOptions', APPLY],
    ['PATCH', '/d/scale', 'PatchOptions', MERGE],
    ['PATCH', '/d/scale', 'PatchOptions', APPLY_CBOR],
  ])(
    '%s of deployments%s rejects an invalid level before it reads the body: %s',
    async (method, rest, kind, type) => {
      for (const level of ['Loud', 'strict', 'Strict,Warn']) {
        const { status, object } = await send(
          method,
          deployments(`${rest}?fieldManager=m&fieldValidation=${level}`),
          'no object',
          type,
        );
        const text = `fieldValidation: Unsupported value: "${level}": supported values: "", "Ignore", "Strict", "Warn"`;
        expect([status, object.message]).toEqual([422, `${kind}.meta.k8s.io "" is invalid: ${text}`]);
      }
    },
  );

  it('is not a parameter of deletions', async () => {
    await send('POST', deployments(), whole);
    expect((await send('DELETE', deployments('/d?fieldValidation=Loud'))).status).toBe(200);
  });
});
