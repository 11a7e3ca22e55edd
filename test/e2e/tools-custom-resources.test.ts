import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuiltServer } from './support/built-server.ts';
import { hasKubectl, Kubectl } from './support/kubectl.ts';
import { until } from './support/until.ts';

const CHART = 'test/e2e/manifests/chart';
const isInstalled = (command: string, word: string) =>
  spawnSync(command, [word], { stdio: 'ignore' }).status === 0;

/** A server, and an environment in which other programs find it. */
function serverOfTools() {
  const server = new BuiltServer();
  beforeAll(() => server.start());
  afterAll(() => server.remove());
  const environment = () => ({
    PATH: process.env['PATH'],
    HOME: join(server.directory, 'home'),
    KUBECONFIG: server.kubeconfigFile,
    PYTHONDONTWRITEBYTECODE: '1',
  });
  return { server, environment };
}

describe.skipIf(!hasKubectl || !isInstalled('helm', 'version'))('helm and custom resources', () => {
  const { server, environment } = serverOfTools();
  const helm = (words: string) => {
    const { status, stdout, stderr } = spawnSync('helm', words.split(' '), {
      env: environment(),
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`helm ${words}: ${stderr}`);
    return stdout;
  };

  it('installs a chart with a definition, upgrades and removes it', async () => {
    const kubectl = new Kubectl(server);
    const spec = () => kubectl.run('get backup nightly -o jsonpath={.spec}');
    expect(helm(`install nightly ${CHART} --wait`)).toContain('STATUS: deployed');
    expect(await spec()).toBe('{"keep":7,"schedule":"0 3 * * *"}');
    helm(`upgrade nightly ${CHART} --set schedule=daily`);
    expect(await spec()).toBe('{"keep":7,"schedule":"daily"}');
    helm('rollback nightly 1');
    expect(await spec()).toBe('{"keep":7,"schedule":"0 3 * * *"}');
    helm('uninstall nightly --wait');
    expect(await kubectl.run('get backups -o name')).toBe('');
    expect(await kubectl.run('get crd -o name')).toContain('backups.storage.example.net');
  });
});

describe.skipIf(!hasKubectl || !isInstalled('kopf', '--version'))('an operator of kopf', () => {
  const { server, environment } = serverOfTools();
  let operator: ChildProcess | undefined;
  afterAll(() => operator?.kill('SIGKILL'));

  it('handles creation, change and deletion with its finalizer', async () => {
    const kubectl = new Kubectl(server);
    await kubectl.run(`apply -f ${CHART}/crds`);
    await kubectl.run('wait --for=condition=Established crd/backups.storage.example.net --timeout=60s');
    let output = '';
    operator = spawn('kopf', ['run', '--all-namespaces', 'test/e2e/manifests/kopf-operator.py'], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [operator.stdout!, operator.stderr!])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    const value = (path: string) => kubectl.run(`get backup nightly -o jsonpath={${path}}`);
    const holds = (path: string, expected: string) =>
      until(async () => (await value(path)) === expected, `${path} is ${expected}:\n${output}`);
    const apiVersion = 'storage.example.net/v1';
    const backup = { apiVersion, kind: 'Backup', metadata: { name: 'nightly' }, spec: { schedule: 'daily' } };
    await kubectl.run('create -f -', { input: JSON.stringify(backup) });
    await holds('.status.create.keep', '7');
    await holds('.metadata.finalizers', '["kopf.zalando.org/KopfFinalizerMarker"]');
    await kubectl.run('patch backup nightly --type=merge -p {"spec":{"keep":9}}');
    await holds('.status.kept', '9');
    await kubectl.run('delete backup nightly --timeout=60s');
    expect(output).toContain('removed nightly');
  });
});
