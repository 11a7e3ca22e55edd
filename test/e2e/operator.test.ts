import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/documents.ts';
import { BuiltServer } from './support/built-server.ts';
import { hasKubectl, Kubectl } from './support/kubectl.ts';
import { until } from './support/until.ts';

const DIRECTORY = 'examples/operator';

/** The example of an operator in a process of its own. */
describe.skipIf(!hasKubectl)('the example operator', () => {
  const server = new BuiltServer();
  let kubectl: Kubectl;
  let operator: ChildProcess;
  let output = '';
  beforeAll(async () => {
    await server.start();
    kubectl = new Kubectl(server);
    await kubectl.run(`apply -f ${DIRECTORY}/websites.yaml`);
    await kubectl.run('wait --for=condition=Established crd/websites.example.com --timeout=60s');
    const program = join(ROOT, DIRECTORY, 'operator.ts');
    operator = spawn(process.execPath, ['--import', 'tsx', program, server.kubeconfigFile], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [operator.stdout!, operator.stderr!])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    await until(() => output.includes('watching websites'), 'the operator to start');
  });
  afterAll(async () => {
    operator?.kill('SIGKILL');
    await server.remove();
  });

  const value = async (what: string, path: string) =>
    (await kubectl.try(['get', ...what.split(' '), '-o', `jsonpath={${path}}`])).stdout;
  const holds = (what: string, path: string, expected: string) =>
    until(async () => (await value(what, path)) === expected, `${what} ${path} ${expected}:\n${output}`);
  const website = (name: string) =>
    JSON.stringify({
      apiVersion: 'example.com/v1',
      kind: 'Website',
      metadata: { name },
      spec: { pages: { 'index.html': 'x' } },
    });

  it('creates owned objects, reports its status and sets its finalizer', async () => {
    await kubectl.run(`apply -f ${DIRECTORY}/website.yaml`);
    await kubectl.run('wait --for=condition=Published website/blog --timeout=60s');
    expect(await value('configmap blog', '.data')).toBe(
      '{"index.html":"\\u003ch1\\u003eHello\\u003c/h1\\u003e"}',
    );
    expect(await value('configmap blog', '.metadata.ownerReferences[0].kind')).toBe('Website');
    expect(await value('website blog', '.metadata.finalizers')).toBe('["example.com/withdraw"]');
    expect(await kubectl.run('get web')).toMatch(/^NAME +PUBLISHED +PAGES\nblog +True +1 *\n$/);
  });

  it('follows changes', async () => {
    const patch = { spec: { pages: { 'about.html': 'me' } } };
    await kubectl.run(`patch website blog --type=merge -p ${JSON.stringify(patch)}`);
    await holds('website blog', '.status.pages', '2');
    await holds('website blog', '.status.conditions[0].observedGeneration', '2');
    expect(await value('configmap blog', '.data.about\\.html')).toBe('me');
    const refused = await kubectl.try([
      'patch',
      'web',
      'blog',
      '--type=json',
      '-p',
      '[{"op":"remove","path":"/spec/pages/index.html"}]',
    ]);
    expect(refused.stderr).toContain('index.html is missing');
  });

  it('continues after a change of the definition and a crash of the server', async () => {
    const column = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };
    const patch = [{ op: 'add', path: '/spec/versions/0/additionalPrinterColumns/-', value: column }];
    await kubectl.run(`patch crd websites.example.com --type=json -p ${JSON.stringify(patch)}`);
    await kubectl.run('create -f -', { input: website('second') });
    await holds('website second', '.status.pages', '1');
    await server.end('SIGKILL');
    await server.start();
    await kubectl.run('create -f -', { input: website('third') });
    await holds('website third', '.status.pages', '1');
  });

  it('withdraws deleted objects before they go, with what they own', async () => {
    await kubectl.run('delete websites --all --timeout=60s');
    expect(output).toContain('withdrew default/blog\n');
    await kubectl.run('wait --for=delete configmap/blog configmap/second configmap/third --timeout=60s');
  });
});
