import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { BuiltServer } from './support/built-server.ts';
import { hasKubectl, Kubectl } from './support/kubectl.ts';
import { publishedModule } from './support/published-module.ts';

interface Project {
  readonly module: string;
  /** Directory of the definitions in the module. */
  readonly definitions: string;
  /** A kind, and a part of its explanation. */
  readonly kind: string;
  readonly explained: RegExp;
  /** Files or directories with objects that the definitions accept. */
  readonly objects: readonly string[];
  /** Objects of this test that they accept. */
  readonly own?: readonly object[];
  /** An object with a finalizer. */
  readonly held?: string;
  /** A directory with objects that they refuse. */
  readonly refused?: string;
  /** A command that prints rows, and a row. */
  readonly table: string;
  readonly row: RegExp;
}

/** Projects whose definitions differ in style, with the versions that the tests use. */
const PROJECTS: readonly Project[] = [
  {
    module: 'sigs.k8s.io/gateway-api@v1.6.3',
    definitions: 'config/crd/standard',
    kind: 'httproutes',
    explained: /backendRefs\s+<\[\]Object>/,
    objects: ['examples/standard/simple-gateway', 'examples/standard/http-filter.yaml'],
    refused: 'hack/invalid-examples/standard',
    table: 'get gateways,httproutes -A',
    row: /gateway\.gateway\.networking\.k8s\.io\/prod-web +example +Unknown/,
  },
  {
    module: 'github.com/argoproj/argo-cd/v2@v2.13.3',
    definitions: 'manifests/crds',
    kind: 'applications',
    explained: /syncPolicy\s+<Object>/,
    objects: ['docs/operator-manual/application.yaml'],
    held: 'application/guestbook -n argocd',
    table: 'get applications -n argocd',
    row: /^NAME +SYNC STATUS +HEALTH STATUS\nguestbook/,
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.79.2',
    definitions: 'example/prometheus-operator-crd',
    kind: 'prometheuses',
    explained: /initContainers\s+<\[\]Object>/,
    objects: [
      'example/user-guides/alerting/alertmanager-example.yaml',
      'example/user-guides/getting-started/prometheus-service-monitor.yaml',
    ],
    table: 'get prometheuses,alertmanagers -A',
    row: /alertmanager\.monitoring\.coreos\.com\/example +3 /,
  },
  {
    module: 'github.com/cert-manager/cert-manager@v1.16.2',
    definitions: 'deploy/crds',
    kind: 'certificates',
    explained: /privateKey\s+<Object>/,
    objects: ['test/fixtures/cert-manager-resources.yaml'],
    table: 'get certificates,issuers -A',
    row: /certificate\.cert-manager\.io\/\S+ /,
  },
  {
    module: 'sigs.k8s.io/cluster-api@v1.9.4',
    definitions: 'config/crd/bases',
    kind: 'machinedeployments',
    explained: /rollingUpdate\s+<Object>/,
    objects: [],
    own: [
      {
        apiVersion: 'cluster.x-k8s.io/v1beta1',
        kind: 'Cluster',
        metadata: { name: 'own' },
        spec: {
          clusterNetwork: { pods: { cidrBlocks: ['192.168.0.0/16'] } },
          topology: {
            class: 'small',
            version: 'v1.32.0',
            workers: { machinePools: [{ class: 'w', name: 'mp' }] },
          },
        },
      },
      {
        apiVersion: 'cluster.x-k8s.io/v1beta1',
        kind: 'MachineDeployment',
        metadata: { name: 'own' },
        spec: {
          clusterName: 'own',
          selector: { matchLabels: { a: '1' } },
          template: { spec: { bootstrap: {}, clusterName: 'own', infrastructureRef: {} } },
        },
      },
    ],
    table: 'get clusters,machinedeployments',
    row: /cluster\.cluster\.x-k8s\.io\/own +small .*\n.*machinedeployment\.cluster\.x-k8s\.io\/own +own /s,
  },
];

/** The definitions of a directory: other files and lines of templates are omitted. */
function definitionsIn(directory: string): string {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .filter((text) => /^kind: CustomResourceDefinition$/m.test(text))
    .map((text) => text.replaceAll(/^.*\{\{.*$\n/gm, ''))
    .join('\n---\n');
}

const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(directory, name));

describe.skipIf(!hasKubectl).each(PROJECTS)('the definitions of $module', (project) => {
  const server = new BuiltServer();
  let kubectl: Kubectl;
  let found: ReturnType<typeof publishedModule>;
  beforeAll(async () => {
    found = publishedModule(project.module);
    if ('missing' in found) return;
    await server.start();
    kubectl = new Kubectl(server);
  });
  afterAll(() => server.remove());

  const path = ({ skip }: TestContext, name: string): string =>
    'missing' in found ? skip(found.missing) : join(found.directory, name);
  const names = async () => (await kubectl.run('get crd -o name')).trim().split('\n');

  it('are established, discovered and explained', async (context) => {
    const input = definitionsIn(path(context, project.definitions));
    await kubectl.run('apply --server-side -f -', { input });
    expect((await names()).length).toBe(input.match(/^kind: CustomResourceDefinition$/gm)!.length);
    await kubectl.run('wait --for=condition=Established crd --all --timeout=60s');
    expect(await kubectl.run('apply --server-side -f -', { input })).toContain('serverside-applied');
    const kinds = (await kubectl.run('api-resources -o name')).split('\n');
    for (const name of await names()) expect(kinds).toContain(name.slice(name.indexOf('/') + 1));
    expect(await kubectl.run(`explain --recursive ${project.kind}`)).toMatch(project.explained);
  });

  it('accept objects', async (context) => {
    path(context, '');
    await kubectl.try(['create', 'namespace', 'argocd']);
    for (const file of project.objects) {
      const source = path(context, file);
      await kubectl.run(`apply -f ${source}`);
      await kubectl.run(`apply --server-side --force-conflicts -f ${source}`);
      expect(await kubectl.run(`diff --server-side -f ${source}`)).toBe('');
    }
    for (const object of project.own ?? []) {
      await kubectl.run('create -f -', { input: JSON.stringify(object) });
      await kubectl.run('apply --server-side --force-conflicts -f -', { input: JSON.stringify(object) });
    }
    expect(await kubectl.run(project.table)).toMatch(project.row);
  });

  const { refused, held } = project;
  if (refused !== undefined)
    it('refuse what the project calls invalid', async (context) => {
      const files = filesIn(path(context, refused));
      expect(files.length).toBeGreaterThan(20);
      for (const file of files) {
        const { code, stderr } = await kubectl.try(['apply', '-f', file]);
        expect(`${code} ${stderr}`, file).toMatch(/^1 .*is invalid: /s);
      }
    });

  it('are removed with their objects', async (context) => {
    path(context, '');
    await kubectl.run('delete crd --all --wait=false');
    if (held !== undefined) {
      expect(await kubectl.run('get crd -o name')).not.toBe('');
      await kubectl.run(`patch ${held} --type=merge -p {"metadata":{"finalizers":null}}`);
    }
    await kubectl.run('wait --for=delete crd --all --timeout=60s');
    expect(await kubectl.run('get crd -o name')).toBe('');
  });
});
