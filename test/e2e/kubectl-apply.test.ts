import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuiltServer } from './support/built-server.ts';
import { hasKubectl, Kubectl } from './support/kubectl.ts';

const PLATFORM = 'test/e2e/manifests/platform.yaml';

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly fieldsV1: Record<string, unknown>;
}

const configMap = (name: string, data: Record<string, string>, labels: Record<string, string> = {}): string =>
  `---\n${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'platform', labels }, data })}\n`;

describe.skipIf(!hasKubectl)('kubectl apply', () => {
  const server = new BuiltServer(['--disable-admission-plugins=ServiceAccount', '--controllers=-*']);
  let kubectl: Kubectl;
  beforeAll(async () => {
    await server.start();
    kubectl = new Kubectl(server);
    await kubectl.run(`apply --server-side -f ${PLATFORM}`);
  });
  afterAll(() => server.remove());

  const entries = async (what: string): Promise<readonly Entry[]> =>
    (
      JSON.parse(await kubectl.run(`get ${what} -n platform --show-managed-fields -o json`)) as {
        metadata: { managedFields: Entry[] };
      }
    ).metadata.managedFields;
  const owners = async (what: string): Promise<string[]> =>
    (await entries(what))
      .map(({ manager, operation, subresource = '' }) => `${manager} ${operation} ${subresource}`.trim())
      .sort();
  const value = (what: string, path: string): Promise<string> =>
    kubectl.run(`get ${what} -n platform -o jsonpath={${path}}`);
  const pipe = (words: string, input: string) => kubectl.try(words.split(' '), { input });

  it('applies on the server idempotently, and finds no difference', async () => {
    const versions = () =>
      kubectl.run(
        'get deployments,statefulsets,daemonsets,services,pdb,networkpolicies,configmaps -n platform -o jsonpath={.items[*].metadata.resourceVersion}',
      );
    const before = await versions();
    await kubectl.run(`apply --server-side -f ${PLATFORM}`);
    expect(await versions()).toBe(before);
    expect(await kubectl.run(`diff --server-side -f ${PLATFORM}`)).toBe('');
    expect(await owners('deployment/api')).toEqual(['kubectl Apply']);
  });

  it('shows the changes of a manifest, on the client and on the server', async () => {
    await kubectl.run('apply -f -', { input: configMap('differing', { a: '1', b: '2' }) });
    for (const way of ['--server-side --force-conflicts', '']) {
      const found = await pipe(
        `diff ${way} -f -`.replace('  ', ' '),
        configMap('differing', { a: '1', b: '3' }),
      );
      expect(found.code).toBe(1);
      expect(found.stdout).toMatch(/^- {2}b: "2"$/m);
      expect(found.stdout).toMatch(/^\+ {2}b: "3"$/m);
    }
    expect(await value('configmap/differing', '.data.b')).toBe('2');
  });

  it('conflicts with another manager unless forced, and removes fields that are no longer applied', async () => {
    const image = (tag: string, more = '') =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: api, namespace: platform }\nspec: { template: { spec: { containers: [{ name: api, image: "registry.example.com/platform/api:${tag}"${more} }] } } }\n`;
    const refused = await pipe('apply --server-side --field-manager=deployer -f -', image('2'));
    expect(refused.stderr).toContain(
      'Apply failed with 1 conflict: conflict with "kubectl": .spec.template.spec.containers[name="api"].image',
    );
    expect(refused.stderr).toContain('--force-conflicts');
    await kubectl.run('apply --server-side --field-manager=deployer --force-conflicts -f -', {
      input: image('2', ', env: [{ name: EXTRA, value: "1" }]'),
    });
    expect(await value('deployment/api', '.spec.template.spec.containers[0].env[*].name')).toBe(
      'LOG_LEVEL MODE EXTRA',
    );
    // The entry of the manager without the variable: the variable is removed, the image stays, the ports of
    // both protocols are kept separate.
    await kubectl.run('apply --server-side --field-manager=deployer -f -', { input: image('2') });
    expect(await value('deployment/api', '.spec.template.spec.containers[0].env[*].name')).toBe(
      'LOG_LEVEL MODE',
    );
    expect(await value('deployment/api', '.spec.template.spec.containers[0].ports[*].protocol')).toBe(
      'TCP UDP',
    );
    expect(await owners('deployment/api')).toEqual(['deployer Apply', 'kubectl Apply']);
    const back = await pipe(`apply --server-side -f ${PLATFORM}`, '');
    expect(back.stderr).toContain('conflict with "deployer"');
    await kubectl.run(`apply --server-side --force-conflicts -f ${PLATFORM}`);
    expect(await value('deployment/api', '.spec.template.spec.containers[0].image')).toBe(
      'registry.example.com/platform/api:1',
    );
  });

  it('migrates from client-side to server-side apply and removes fields of the former', async () => {
    await kubectl.run('apply -f -', { input: configMap('moving', { a: '1', b: '2' }) });
    expect(await owners('configmap/moving')).toEqual(['kubectl-client-side-apply Update']);
    await kubectl.run('apply --server-side -f -', { input: configMap('moving', { a: '1' }) });
    expect(await value('configmap/moving', '.data')).toBe('{"a":"1"}');
    expect(await owners('configmap/moving')).toContain('kubectl Apply');
    expect(await owners('configmap/moving')).not.toContain('kubectl-client-side-apply Update');
    expect(
      await value(
        'configmap/moving',
        '.metadata.annotations.kubectl\\.kubernetes\\.io/last-applied-configuration',
      ),
    ).toContain('"data":{"a":"1"}');
  });

  it('migrates back: client-side apply continues from the recorded configuration', async () => {
    await kubectl.run('apply -f -', { input: configMap('returning', { a: '1', b: '2' }) });
    await kubectl.run('apply --server-side -f -', { input: configMap('returning', { a: '1', c: '3' }) });
    expect(await kubectl.run('apply -f -', { input: configMap('returning', { a: '5' }) })).toBe(
      'configmap/returning configured\n',
    );
    expect(await value('configmap/returning', '.data')).toBe('{"a":"5"}');
    expect(await owners('configmap/returning')).toContain('kubectl-client-side-apply Update');
  });

  it('keeps the fields of others during client-side apply', async () => {
    await kubectl.run('apply -f -', { input: configMap('shared', { a: '1', b: '2' }) });
    await kubectl.run('patch configmap shared -n platform --type=merge -p {"data":{"theirs":"x"}}');
    await kubectl.run('apply -f -', { input: configMap('shared', { a: '2' }) });
    expect(JSON.parse(await value('configmap/shared', '.data'))).toEqual({ a: '2', theirs: 'x' });
    await kubectl.run('apply set-last-applied -f -', { input: configMap('shared', { a: '2', theirs: 'x' }) });
    await kubectl.run('apply -f -', { input: configMap('shared', { a: '2' }) });
    expect(await value('configmap/shared', '.data')).toBe('{"a":"2"}');
    expect(await kubectl.run('apply view-last-applied configmap/shared -n platform')).toContain('a: "2"');
  });

  it('shows which fields were written through a subresource', async () => {
    await kubectl.run(
      'patch statefulset store -n platform --subresource=status --type=merge -p {"status":{"replicas":3}}',
    );
    await kubectl.run('scale statefulset store -n platform --replicas=4');
    expect(await owners('statefulset/store')).toEqual([
      'kubectl Apply',
      'kubectl Update scale',
      'kubectl-patch Update status',
    ]);
    const conflict = await pipe(`apply --server-side -f ${PLATFORM}`, '');
    expect(conflict.stderr).toContain(
      'conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas',
    );
    await kubectl.run(`apply --server-side --force-conflicts -f ${PLATFORM}`);
    expect(await value('statefulset/store', '.spec.replicas')).toBe('3');
  });

  it('applies nothing in a dry run', async () => {
    expect(
      await kubectl.run('apply --server-side --dry-run=server -f -', { input: configMap('dry', { a: '1' }) }),
    ).toBe('configmap/dry serverside-applied (server dry run)\n');
    expect(await kubectl.run('apply --dry-run=server -f -', { input: configMap('dry', { a: '1' }) })).toBe(
      'configmap/dry created (server dry run)\n',
    );
    expect(await kubectl.run('create --dry-run=server -o name -f -', { input: configMap('dry', {}) })).toBe(
      'configmap/dry\n',
    );
    expect((await kubectl.try(['get', 'configmap', 'dry', '-n', 'platform'])).stderr).toContain('NotFound');
  });

  it.each([
    ['strict', 1, /strict decoding error: unknown field "data.nested.x"|unknown field "colour"/],
    ['warn', 0, /Warning: unknown field "colour"/],
    ['ignore', 0, /^$/],
  ])('validates fields: %s', async (level, code, text) => {
    const result = await pipe(
      `apply --validate=${level} -f -`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: checked-${level}, namespace: platform }\ncolour: red\n`,
    );
    expect({ code: result.code, text: text.test(result.stderr) }).toEqual({ code, text: true });
  });

  it('prunes by label, and only the permitted kinds', async () => {
    const set = { set: 'pruned' };
    const service =
      'apiVersion: v1\nkind: Service\nmetadata: { name: pruned, namespace: platform, labels: { set: pruned } }\nspec: { ports: [{ port: 80 }] }\n';
    await kubectl.run('apply -f - --prune -l set=pruned', {
      input: `${configMap('kept', { a: '1' }, set)}${configMap('pruned', { a: '1' }, set)}---\n${service}`,
    });
    const rest = { input: configMap('kept', { a: '1' }, set) };
    const allowed = '--prune -l set=pruned --prune-allowlist=core/v1/ConfigMap';
    expect(await kubectl.run(`apply -n platform -f - ${allowed} --dry-run=server`, rest)).toContain(
      'configmap/pruned pruned (server dry run)',
    );
    expect(await kubectl.run(`apply -n platform -f - ${allowed}`, rest)).toBe(
      'configmap/kept unchanged\nconfigmap/pruned pruned\n',
    );
    expect(await kubectl.run('get services,configmaps -n platform -l set=pruned -o name')).toBe(
      'service/pruned\nconfigmap/kept\n',
    );
  });

  it('prunes by apply set', async () => {
    const run = (words: string, input: string) =>
      kubectl.run(words, { input, environment: { KUBECTL_APPLYSET: 'true' } });
    const words = 'apply -n platform -f - --prune --applyset=bundle';
    await run(words, configMap('in-a', { a: '1' }) + configMap('in-b', { a: '1' }));
    expect(await value('secret/bundle', '.metadata.annotations')).toContain(
      '"applyset.kubernetes.io/contains-group-kinds":"ConfigMap"',
    );
    expect(await run(`${words} --dry-run=server`, configMap('in-a', { a: '1' }))).toContain(
      'configmap/in-b pruned (server dry run)',
    );
    expect(await run(words, configMap('in-a', { a: '1' }))).toBe(
      'configmap/in-a unchanged\nconfigmap/in-b pruned\n',
    );
    expect(await run(`${words} --server-side --force-conflicts`, configMap('in-c', {}))).toContain(
      'configmap/in-a pruned',
    );
  });

  it('replaces existing objects, also with --force', async () => {
    const absent = await pipe('replace -f -', configMap('replaced', {}));
    expect(absent.stderr).toContain('configmaps "replaced" not found');
    await kubectl.run('create -f -', { input: configMap('replaced', { a: '1' }) });
    const uid = await value('configmap/replaced', '.metadata.uid');
    await kubectl.run('replace -f -', { input: configMap('replaced', { b: '1' }) });
    expect(await value('configmap/replaced', '.data')).toBe('{"b":"1"}');
    expect(await value('configmap/replaced', '.metadata.uid')).toBe(uid);
    await kubectl.run('replace --force -f -', { input: configMap('replaced', { c: '1' }) });
    expect(await value('configmap/replaced', '.metadata.uid')).not.toBe(uid);
    const stale = await pipe(
      'replace -f -',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'replaced', namespace: 'platform', resourceVersion: '1' },
      }),
    );
    expect(stale.stderr).toContain(
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  });

  it('reads manifests with several documents from a directory', async () => {
    const directory = mkdtempSync(join(server.directory, 'manifests-'));
    writeFileSync(
      join(directory, 'a.yaml'),
      `---\n${configMap('one', {})}---\n# nothing\n${configMap('two', {})}`,
    );
    writeFileSync(
      join(directory, 'b.json'),
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'three' } }],
      }),
    );
    expect(await kubectl.run(`apply --server-side -n platform -f ${directory}`)).toBe(
      'configmap/one serverside-applied\nconfigmap/two serverside-applied\nconfigmap/three serverside-applied\n',
    );
  });
});
