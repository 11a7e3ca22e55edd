import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuiltServer } from './support/built-server.ts';
import { hasKubectl, Kubectl } from './support/kubectl.ts';

const POD = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web',
    annotations: {
      'sim.binnacle.dev/logs': 'one\ntwo\nthree\n',
      'sim.binnacle.dev/exec': 'out\n',
      'sim.binnacle.dev/exec-stderr': 'err\n',
      'sim.binnacle.dev/exec-exit-code': '7',
      'sim.binnacle.dev/port-forward': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi',
      'kwok.x-k8s.io/usage-cpu': '250m',
    },
  },
  spec: { containers: [{ name: 'c', image: 'i' }] },
});

describe.skipIf(!hasKubectl)('kubectl and simulated nodes', () => {
  const server = new BuiltServer(['--disable-admission-plugins=ServiceAccount', '--simulate-nodes=1']);
  let kubectl: Kubectl;
  beforeAll(async () => {
    await server.start();
    kubectl = new Kubectl(server);
    await kubectl.run('apply -f -', { input: POD });
    await kubectl.run('wait --for=condition=Ready pod/web --timeout=60s');
  });
  afterAll(() => server.remove());

  it('shows logs', async () => {
    expect(await kubectl.run('logs web')).toBe('one\ntwo\nthree\n');
    expect(await kubectl.run('logs web --tail=1 --since=1h')).toBe('three\n');
  });

  it.each(['true', 'false'])('runs commands, with WebSockets: %s', async (websockets) => {
    const { code, stdout, stderr } = await kubectl.try(['exec', 'web', '--', 'anything'], {
      environment: { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: websockets },
    });
    expect({ code, stdout }).toEqual({ code: 7, stdout: 'out\n' });
    expect(stderr).toContain('err\n');
  });

  it.each(['true', 'false'])('forwards ports, with WebSockets: %s', async (websockets) => {
    const forward = kubectl.spawn(['port-forward', 'web', ':80'], {
      KUBECTL_PORT_FORWARD_WEBSOCKETS: websockets,
    });
    // Reading goes on: kubectl ends when nobody takes its output.
    const output = await new Promise<string>((resolve) => {
      let text = '';
      forward.stdout!.on('data', (part: Buffer) => {
        text += part.toString();
        if (/127\.0\.0\.1:\d+ /.test(text)) resolve(text);
      });
    });
    const [, port] = /127\.0\.0\.1:(\d+)/.exec(output)!;
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('hi');
    const closed = once(forward, 'close');
    forward.kill();
    await closed;
  });

  it('shows usage', async () => {
    expect(await kubectl.run('top pods --no-headers')).toMatch(/^web +250m +1Mi/);
    expect(await kubectl.run('top nodes --no-headers')).toMatch(/^node-0 +250m +3%/);
  });
});
