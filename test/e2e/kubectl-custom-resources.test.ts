import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuiltServer } from './support/built-server.ts';
import { hasKubectl, Kubectl } from './support/kubectl.ts';
import { until } from './support/until.ts';

const DEFINITIONS = 'test/e2e/manifests/definitions';
const NAMES = [
  'applications.delivery.example.net',
  'certificates.pki.example.net',
  'clusterissuers.pki.example.net',
  'monitors.monitoring.example.net',
  'routes.gateway.example.net',
];
const object = (apiVersion: string, kind: string, name: string, spec: object, metadata: object = {}) =>
  JSON.stringify({ apiVersion, kind, metadata: { name, ...metadata }, spec });
const route = (name: string, spec: object, metadata?: object) =>
  object('gateway.example.net/v1', 'Route', name, spec, metadata);
const monitor = (spec: object) => object('monitoring.example.net/v1', 'Monitor', 'main', spec);

describe.skipIf(!hasKubectl)('kubectl and custom resources', () => {
  const server = new BuiltServer();
  let kubectl: Kubectl;
  beforeAll(async () => {
    await server.start();
    kubectl = new Kubectl(server);
    await kubectl.run(`apply -f ${DEFINITIONS}`);
    await kubectl.run(`wait --for=condition=Established crd ${NAMES.join(' ')} --timeout=60s`);
  });
  afterAll(() => server.remove());

  const pipe = (words: string, input: string) => kubectl.try(words.split(' '), { input });
  const value = (what: string, path: string) => kubectl.run(`get ${what} -o jsonpath={${path}}`);
  const rows = async (words: string) =>
    (await kubectl.run(words))
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));

  it('applies definitions again without a change', async () => {
    const versions = () => kubectl.run('get crd -o jsonpath={.items[*].metadata.resourceVersion}');
    const before = await versions();
    expect(await kubectl.run(`apply -f ${DEFINITIONS}`)).not.toContain('configured');
    expect(await versions()).toBe(before);
  });

  it('discovers kinds with short names and categories', async () => {
    const [, ...found] = await rows('api-resources --api-group=gateway.example.net');
    expect(found).toEqual([['routes', 'rt', 'gateway.example.net/v1', 'true', 'Route']]);
    expect(await kubectl.run('api-resources --categories=pki -o name')).toBe(
      'certificates.pki.example.net\nclusterissuers.pki.example.net\n',
    );
    expect(await kubectl.run('api-versions')).toContain(
      'gateway.example.net/v1\ngateway.example.net/v1beta1\n',
    );
    expect(await kubectl.run('api-versions')).not.toContain('v1alpha2');
  });

  it('explains fields of all depths', async () => {
    const all = await kubectl.run('explain --recursive routes');
    expect(all).toContain('Route sends requests to backends.');
    expect(all).toMatch(/parentRefs\s+<\[\]Object>\n\s+group\s+<string>/);
    expect(await kubectl.run('explain rt.spec.hostnames')).toContain('FIELD: hostnames <[]string>');
    expect(await kubectl.run('explain certificates.spec.privateKey.algorithm')).toMatch(
      /ENUM:\n\s+RSA\n\s+ECDSA\n\s+Ed25519/,
    );
    expect(await kubectl.run('explain --recursive monitors')).toMatch(
      /template\s+<Object>\n\s+apiVersion\s+<string>/,
    );
  });

  it('validates schemas and rules, and defaults list items', async () => {
    const fails = async (spec: object) => (await pipe('create -f -', route('refused', spec))).stderr;
    expect(await fails({ hostnames: ['a', 'a'] })).toContain('spec.hostnames[1]: Duplicate value: "a"');
    expect(await fails({ hostnames: ['A'] })).toContain(
      "should match '^(\\*\\.)?[a-z0-9-]+(\\.[a-z0-9-]+)*$'",
    );
    expect(await fails({ parentRefs: [{ name: 'a' }, { name: 'a' }] })).toContain(
      'spec.parentRefs: Invalid value: "array": parents must differ in name or port',
    );
    expect(await fails({ rules: [{ name: 'r', filter: { type: 'Redirect' } }] })).toContain(
      'spec.rules[0].filter: Invalid value: "object": redirect must be given if and only if',
    );
    expect(await fails({ rules: [{ weight: 2 }] })).toContain('spec.rules[0].name: Required value');
    expect(await fails({ unknown: true })).toContain('unknown field "spec.unknown"');
    await kubectl.run('create -f -', {
      input: route('web', {
        hostnames: ['a.example.net'],
        parentRefs: [{ name: 'p' }],
        rules: [{ name: 'r' }],
        class: 'x',
      }),
    });
    expect(await value('route/web', '.spec')).toBe(
      '{"class":"x","hostnames":["a.example.net"],"parentRefs":[{"group":"gateway.example.net","kind":"Gateway","name":"p"}],"rules":[{"name":"r","weight":1}]}',
    );
    const immutable = await kubectl.try([
      'patch',
      'rt',
      'web',
      '--type=merge',
      '-p',
      '{"spec":{"class":"y"}}',
    ]);
    expect(immutable.stderr).toContain('spec.class: Forbidden: class is immutable');
    const strategic = await kubectl.try(['patch', 'rt', 'web', '--type=strategic', '-p', '{"spec":{}}']);
    expect(strategic.stderr).toContain('the body of the request was in an unknown format');
  });

  it('serves other versions with their warning', async () => {
    const { stdout, stderr } = await kubectl.try([
      'get',
      'routes.v1beta1.gateway.example.net',
      'web',
      '-o',
      'yaml',
    ]);
    expect(stdout).toContain('apiVersion: gateway.example.net/v1beta1\n');
    expect(stderr).toContain('Warning: Route v1beta1 will be removed; use v1');
    const missing = await kubectl.try(['get', 'routes.v1alpha2.gateway.example.net', 'web']);
    expect(missing.stderr).toContain("the server doesn't have a resource type");
  });

  it('keeps unknown fields where the schema says so', async () => {
    const spec = {
      project: 'p',
      source: { path: '.', helm: { values: { ['__proto__']: [1, { deep: 1.5 }] } }, dropped: 1 },
      syncPolicy: { automated: { prune: true }, retry: {} },
    };
    const input = object('delivery.example.net/v1alpha1', 'Application', 'shop', spec);
    expect((await pipe('apply -f -', input)).stderr).toContain('unknown field "spec.source.dropped"');
    await kubectl.run('apply --validate=false -f -', { input });
    expect(JSON.parse(await value('application/shop', '.spec'))).toEqual({
      project: 'p',
      source: { path: '.', helm: { values: { ['__proto__']: [1, { deep: 1.5 }] } } },
      syncPolicy: { automated: { prune: true }, retry: { limit: 5 } },
    });
    await kubectl.run('patch application shop --type=merge -p {"status":{"sync":{"status":"Synced"}}}');
    expect(await rows('get applications')).toEqual([
      ['NAME', 'SYNC STATUS'],
      ['shop', 'Synced'],
    ]);
  });

  it('writes conditions to the status, waits for them and prints columns', async () => {
    await kubectl.run('create -f -', {
      input: object('pki.example.net/v1', 'Certificate', 'web', {
        secretName: 'web-tls',
        issuerRef: { name: 'ca' },
      }),
    });
    const waiting = kubectl.run('wait --for=condition=Ready certificate/web --timeout=60s');
    const conditions = [{ type: 'Ready', status: 'True', observedGeneration: 1 }];
    await kubectl.run(
      `patch cert web --subresource=status --type=merge -p ${JSON.stringify({ status: { conditions }, spec: { secretName: 'ignored' } })}`,
    );
    expect(await waiting).toBe('certificate.pki.example.net/web condition met\n');
    const [header, row] = await rows('get certs -o wide');
    expect(header).toEqual(['NAME', 'READY', 'SECRET', 'ISSUER', 'AGE']);
    expect(row!.slice(0, 4)).toEqual(['web', 'True', 'web-tls', 'ca']);
    expect(await value('certificate/web', '.metadata.generation')).toBe('1');
    const issuer = (spec: object) =>
      pipe('create -f -', object('pki.example.net/v1', 'ClusterIssuer', 'ca', spec));
    expect((await issuer({ ca: {}, selfSigned: {} })).stderr).toContain(
      'must validate one and only one schema (oneOf)',
    );
    expect((await issuer({ selfSigned: {} })).stdout).toBe('clusterissuer.pki.example.net/ca created\n');
    expect(await kubectl.run('get pki -o name')).toBe(
      'certificate.pki.example.net/web\nclusterissuer.pki.example.net/ca\n',
    );
  });

  it('applies from two managers by list keys, with conflicts', async () => {
    const apply = (manager: string, spec: object, more = '') =>
      pipe(`apply --server-side --field-manager=${manager}${more} -f -`, monitor(spec));
    const container = (name: string, rest: object) => ({ containers: [{ name, ...rest }] });
    await apply('operator', {
      ...container('prometheus', { image: 'a:1' }),
      selector: { matchLabels: { a: '1' } },
    });
    const added = await apply('injector', {
      ...container('sidecar', {
        image: 's:1',
        ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }],
      }),
    });
    expect(added.stderr).toBe('');
    expect(await value('monitor/main', '.spec.containers[*].name')).toBe('prometheus sidecar');
    expect(await value('monitor/main', '.spec.containers[1].ports[*].protocol')).toBe('TCP UDP');
    const refused = await apply('injector', container('prometheus', { image: 'a:2' }));
    expect(refused.stderr).toContain(
      'Apply failed with 1 conflict: conflict with "operator": .spec.containers[name="prometheus"].image',
    );
    // An atomic map has one owner.
    const atomic = await apply('injector', { selector: { matchLabels: { b: '1' } } });
    expect(atomic.stderr).toContain('conflict with "operator": .spec.selector');
    await apply('injector', container('prometheus', { image: 'a:2' }), ' --force-conflicts');
    // What a manager does not apply any more is removed.
    expect(await value('monitor/main', '.spec.containers[*].name')).toBe('prometheus');
    expect(await value('monitor/main', '.spec.containers[0].image')).toBe('a:2');
  });

  it('scales, selects by fields, and keeps the template', async () => {
    await kubectl.run('scale monitor main --replicas=3');
    expect(await value('monitor/main', '.spec.replicas')).toBe('3');
    expect(
      (await kubectl.try(['scale', 'monitor', 'main', '--replicas=4', '--current-replicas=9'])).code,
    ).toBe(1);
    const patch = { spec: { retention: '7d', resources: { requests: { memory: '1Gi', cpu: 2 } } } };
    await kubectl.run(`patch mon main --type=merge -p ${JSON.stringify(patch)}`);
    expect(await kubectl.run('get mon --field-selector=spec.retention=7d -o name')).toBe(
      'monitor.monitoring.example.net/main\n',
    );
    expect(await kubectl.run('get mon --field-selector=spec.retention!=7d -o name')).toBe('');
    const template = {
      spec: { template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { x: 1 } } },
    };
    await kubectl.run(`patch mon main --type=merge -p ${JSON.stringify(template)}`);
    expect(await value('mon/main', '.spec.template.spec.x')).toBe('1');
    expect(await kubectl.run('get mon')).toMatch(/main +3 /);
  });

  it('streams changes, and holds deleted objects for their finalizers', async () => {
    await kubectl.run('create -f -', { input: route('watched', {}, { finalizers: ['example.net/hold'] }) });
    const watch = kubectl.spawn([
      'get',
      'routes',
      'watched',
      '--watch',
      '--output-watch-events',
      '--no-headers',
    ]);
    let seen = '';
    watch.stdout!.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
    });
    const has = (pattern: RegExp) => until(() => pattern.test(seen), `${pattern} in the watch; seen ${seen}`);
    try {
      await has(/^ADDED +watched/m);
      // As `kubectl edit` does: a merge patch with the version that was read.
      const version = await value('route/watched', '.metadata.resourceVersion');
      const edit = (hostnames: string[]) =>
        kubectl.try([
          'patch',
          'route',
          'watched',
          '--type=merge',
          '-p',
          JSON.stringify({ metadata: { resourceVersion: version }, spec: { hostnames } }),
        ]);
      expect((await edit(['b.example.net'])).code).toBe(0);
      expect((await edit(['c.example.net'])).stderr).toContain('the object has been modified');
      await has(/^MODIFIED +watched +\["b\.example\.net"\]/m);
      await kubectl.run('delete route watched --wait=false');
      expect(await value('route/watched', '.metadata.deletionTimestamp')).not.toBe('');
      await kubectl.run('patch route watched --type=json -p [{"op":"remove","path":"/metadata/finalizers"}]');
      await has(/^DELETED +watched/m);
    } finally {
      watch.kill();
    }
    expect((await kubectl.try(['get', 'route', 'watched'])).stderr).toContain(
      'routes.gateway.example.net "watched" not found',
    );
  });

  it('survives a crash with definitions and objects', async () => {
    const before = await kubectl.run('get routes,monitors,certificates,applications -o name');
    await server.end('SIGKILL');
    await server.start();
    expect(await kubectl.run('get routes,monitors,certificates,applications -o name')).toBe(before);
  });

  it('collects dependents of custom objects', async () => {
    const uid = await value('monitor/main', '.metadata.uid');
    const owner = { apiVersion: 'monitoring.example.net/v1', kind: 'Monitor', name: 'main', uid };
    await kubectl.run('create -f -', {
      input: JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'owned', ownerReferences: [owner] },
      }),
    });
    await kubectl.run('create -f -', { input: route('owned', {}, { ownerReferences: [owner] }) });
    await kubectl.run('delete monitor main');
    await kubectl.run('wait --for=delete configmap/owned route/owned --timeout=60s');
  });

  it('removes a definition with its objects, and takes it again', async () => {
    await kubectl.run(`delete -f ${DEFINITIONS}/routes.yaml`);
    expect(await kubectl.run('api-resources -o name')).not.toContain('routes.gateway.example.net');
    await kubectl.run(`apply -f ${DEFINITIONS}/routes.yaml`);
    await kubectl.run('wait --for=condition=Established crd/routes.gateway.example.net --timeout=60s');
    expect(await kubectl.run('get routes -o name')).toBe('');
  });
});
