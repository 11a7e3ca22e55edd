import { once } from 'node:events';
import { request as startRequest } from 'node:https';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';

const PODS = '/api/v1/namespaces/default/pods';
const SIM = 'sim.binnacle.dev';

let cluster: TestCluster;
const pem = (member: string): string =>
  Buffer.from(new RegExp(`${member}: (\\S+)`).exec(cluster.kubeconfig)![1]!, 'base64').toString();
const credentials = () => ({
  ca: cluster.caBundle,
  cert: pem('client-certificate-data'),
  key: pem('client-key-data'),
});
const send = async (method: string, path: string, body?: object) => {
  const response = await cluster.fetch(path, { method, ...(body && { body }) });
  return { status: response.status, body: await response.text() };
};
const message = async (path: string) => JSON.parse((await send('GET', path)).body).message as string;

async function createPod(name: string, annotations: Record<string, string>, node = 'node-0') {
  await send('POST', PODS, {
    metadata: { name, annotations },
    spec: { nodeName: node, containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }] },
  });
  await vi.waitFor(async () => {
    const { body } = await send('GET', `${PODS}/${name}`);
    expect(JSON.parse(body).status.phase).toBe('Running');
  });
}

beforeAll(async () => {
  cluster = await startCluster({ simulateNodes: 1, controllers: ['serviceaccount-controller'] });
  await vi.waitFor(async () => {
    const { status } = await send('GET', '/api/v1/namespaces/default/serviceaccounts/default');
    expect(status).toBe(200);
  });
  await createPod('web', {
    [`${SIM}/logs`]: 'one\ntwo\n',
    [`${SIM}/exec`]: 'out',
    [`${SIM}/exec-stderr`]: 'err',
    [`${SIM}/exec-exit-code`]: '7',
    [`${SIM}/port-forward`]: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi',
  });
  await createPod('bare', {});
});
afterAll(() => cluster.stop());

/** Runs a command over a WebSocket; resolves with its messages by channel. */
async function exec(pod: string, protocol: string) {
  const path = `${PODS}/${pod}/exec?command=x&stdout=true&stderr=true`;
  const socket = new WebSocket(`${cluster.url.replace('https', 'wss')}${path}`, protocol, credentials());
  const channels = new Map<number, string>();
  socket.on('message', (data: Buffer) => {
    channels.set(data[0]!, (channels.get(data[0]!) ?? '') + data.subarray(1).toString());
  });
  await once(socket, 'close');
  return channels;
}

describe('a simulated kubelet', () => {
  it('answers logs', async () => {
    expect(await send('GET', `${PODS}/web/log?tailLines=1`)).toEqual({ status: 200, body: 'two\n' });
    expect((await send('GET', `${PODS}/bare/log`)).body).toBe('');
    expect(await message(`${PODS}/web/log?previous=true`)).toBe(
      'previous terminated container "c" in pod "web" not found',
    );
  });

  it('follows a log until the container ends', async () => {
    await createPod('followed', { [`${SIM}/logs`]: 'begin\n' });
    const [response] = await once(
      startRequest(`${cluster.url}${PODS}/followed/log?follow=true`, credentials()).end(),
      'response',
    );
    let text = '';
    for await (const part of response) {
      text += part;
      if (text === 'begin\n') await send('DELETE', `${PODS}/followed`);
    }
    expect(text).toBe('begin\n');
  });

  it.each(['v5.channel.k8s.io', 'v4.channel.k8s.io'])('answers commands by %s', async (protocol) => {
    const channels = await exec('web', protocol);
    expect(channels.get(1)).toBe('out');
    expect(channels.get(2)).toBe('err');
    expect(JSON.parse(channels.get(3)!)).toMatchObject({
      details: { causes: [{ reason: 'ExitCode', message: '7' }] },
    });
  });

  it('refuses commands that no annotation answers', async () => {
    const channels = await exec('bare', 'v5.channel.k8s.io');
    expect(channels.get(3)).toContain('a simulated node runs no commands');
  });

  it('answers the proxies of nodes and pods', async () => {
    expect(await send('GET', '/api/v1/nodes/node-0/proxy/healthz')).toEqual({ status: 200, body: 'ok' });
    expect(await send('GET', `${PODS}/web/proxy/a`)).toEqual({ status: 200, body: 'hi' });
    expect(await message(`${PODS}/bare/proxy/a`)).toContain('connect: connection refused');
  });
});
