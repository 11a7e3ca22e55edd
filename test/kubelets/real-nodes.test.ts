import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request as startRequest } from 'node:https';
import { createServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { exitStatus } from '../../src/streaming/remote-command.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { ExtensionServer } from '../support/extension-server.ts';
import { agreeToSpdy, echo, serveCommand } from '../support/fake-kubelet.ts';

const POD = '/api/v1/namespaces/default/pods/web';

let cluster: TestCluster;
let kubelet: ExtensionServer;

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
const get = (path: string) => send('GET', path);
const message = async (path: string) => JSON.parse((await get(path)).body).message as string;

async function setNode(port: number, addresses = [{ type: 'InternalIP', address: '127.0.0.1' }]) {
  const { body } = await get('/api/v1/nodes/real');
  await send('PUT', '/api/v1/nodes/real/status', {
    ...JSON.parse(body),
    status: { addresses, daemonEndpoints: { kubeletEndpoint: { Port: port } } },
  });
}

beforeAll(async () => {
  cluster = await startCluster({ controllers: ['-*'] });
  kubelet = await new ExtensionServer({
    hosts: ['127.0.0.1'],
    answer: (_, response) => response.end(),
  }).start();
  await send('POST', '/api/v1/nodes', { metadata: { name: 'real' } });
  await send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const spec = { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }] };
  await send('POST', '/api/v1/namespaces/default/pods', {
    metadata: { name: 'web' },
    spec: { ...spec, nodeName: 'real' },
  });
  await send('POST', '/api/v1/namespaces/default/pods', {
    metadata: { name: 'lost' },
    spec: { ...spec, nodeName: 'absent' },
  });
});
afterAll(async () => {
  await cluster.stop();
  await kubelet.stop();
});
beforeEach(() => setNode(kubelet.port));

describe('the log of a pod', () => {
  it('is that of the kubelet, which gets the options', async () => {
    kubelet.answer = ({ path, query }, response) => response.end(`${path}?${query}`);
    const { status, body } = await get(
      `${POD}/log?follow=true&tailLines=3&sinceTime=2026-01-02T03:04:05Z&limitBytes=9`,
    );
    expect(status).toBe(200);
    expect(body).toBe(
      '/containerLogs/default/web/c?follow=true&limitBytes=9&sinceTime=2026-01-02T03%3A04%3A05Z&tailLines=3',
    );
  });

  it('comes with back-pressure, whatever its length', async () => {
    let written = 0;
    const chunk = Buffer.alloc(64 * 1024, 'x');
    kubelet.answer = (_, response) => {
      const more = (): void => {
        while (written < 512 * chunk.length) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    };
    const response = await new Promise<IncomingMessage>((resolve) => {
      startRequest(`${cluster.url}${POD}/log`, { ...credentials(), agent: new Agent() }, resolve).end();
    });
    let received = 0;
    for await (const part of response) received += part.length;
    expect(received).toBe(512 * chunk.length);
    expect(written).toBe(received);
  });

  it.each([
    [500, 'broken', 500, 'Internal error occurred: broken'],
    [400, 'previous container not found', 400, 'previous container not found'],
    [404, 'gone', 404, 'the server could not find the requested resource ( pods/log web)'],
    [403, 'no', 403, 'no ( pods/log web)'],
  ])('is an error when the kubelet answers %i', async (status, answer, code, wanted) => {
    kubelet.answer = (_, response) => response.writeHead(status).end(answer);
    const result = await get(`${POD}/log`);
    expect(result.status).toBe(code);
    expect(JSON.parse(result.body).message).toBe(wanted);
  });

  it('ends when the kubelet closes in the middle', async () => {
    kubelet.answer = (_, response) => {
      response.write('begin');
      setImmediate(() => response.destroy());
    };
    await expect(get(`${POD}/log`)).rejects.toThrow();
  });

  it('says why a kubelet cannot be reached', async () => {
    const unused = createServer().listen(0, '127.0.0.1');
    await once(unused, 'listening');
    const { port } = unused.address() as { port: number };
    unused.close();
    await setNode(port);
    expect(await message(`${POD}/log`)).toBe(
      `Get "https://127.0.0.1:${port}/containerLogs/default/web/c": dial tcp 127.0.0.1:${port}: connect: connection refused`,
    );
    await setNode(port, [{ type: 'Other', address: '192.0.2.1' }]);
    expect(await message(`${POD}/log`)).toBe(
      'no preferred addresses found; known addresses: [{Other 192.0.2.1}]',
    );
    expect(await message('/api/v1/namespaces/default/pods/lost/log')).toBe('pods "absent" not found');
  });
});

/** Opens a WebSocket for a subresource of the pod; resolves with its messages by channel when it has closed. */
async function overWebSocket(path: string, protocol: string, onOpen: (socket: WebSocket) => void) {
  const socket = new WebSocket(`${cluster.url.replace('https', 'wss')}${path}`, protocol, credentials());
  const channels = new Map<number, string>();
  socket.on('message', (data: Buffer) => {
    channels.set(data[0]!, (channels.get(data[0]!) ?? '') + data.subarray(1).toString());
  });
  socket.on('open', () => onOpen(socket));
  await once(socket, 'close');
  return channels;
}

const V5 = 'v5.channel.k8s.io';

describe('exec by a WebSocket of version 5', () => {
  it('is translated into SPDY streams', async () => {
    kubelet.upgrade = (_, socket, head) => serveCommand(socket, head, 4, echo);
    const channels = await overWebSocket(
      `${POD}/exec?command=cat&stdin=true&stdout=true&stderr=true`,
      V5,
      (socket) => {
        socket.send(Buffer.concat([Buffer.from([0]), Buffer.from('typed')]));
        socket.send(Buffer.from([255, 0]));
      },
    );
    expect(channels.get(1)).toBe('typed');
    expect(JSON.parse(channels.get(3)!)).toEqual({ metadata: {}, status: 'Success' });
  });

  it('passes the exit code on', async () => {
    kubelet.upgrade = (_, socket, head) =>
      serveCommand(socket, head, 2, async () => exitStatus(3, 'exit status 3'));
    const channels = await overWebSocket(`${POD}/exec?command=x&stdout=true`, V5, () => undefined);
    expect(JSON.parse(channels.get(3)!)).toMatchObject({
      reason: 'NonZeroExitCode',
      message: 'command terminated with non-zero exit code: command terminated with exit code 3',
      details: { causes: [{ reason: 'ExitCode', message: '3' }] },
    });
  });

  it.each([
    [
      'refuses',
      'HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\nConnection: close\r\n\r\nno!\n',
      'unable to upgrade connection: no!',
    ],
    [
      'does not speak SPDY',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi',
      'unable to upgrade connection: hi',
    ],
  ])('ends with an error when the kubelet %s', async (_, answer, wanted) => {
    kubelet.upgrade = (_request, socket) => socket.end(answer);
    const channels = await overWebSocket(`${POD}/exec?command=x&stdout=true`, V5, () => undefined);
    expect(JSON.parse(channels.get(3)!).message).toBe(`Internal error occurred: ${wanted}`);
  });

  it.each([
    ['closes', (socket: Duplex) => socket.destroy()],
    ['sends what is no SPDY', (socket: Duplex) => socket.write(Buffer.from([0x80, 9, 0, 1, 0, 0, 0, 0]))],
  ])('ends with an error when the kubelet agrees and %s', async (_, then) => {
    kubelet.upgrade = (_request, socket) => {
      agreeToSpdy(socket, 'v4.channel.k8s.io');
      then(socket);
    };
    const channels = await overWebSocket(`${POD}/exec?command=x&stdout=true`, V5, () => undefined);
    expect(JSON.parse(channels.get(3)!)).toMatchObject({ status: 'Failure', code: 500 });
  });

  it('ends the connection of the kubelet when the client leaves', async () => {
    const left = new Promise<void>((resolve) => {
      kubelet.upgrade = (_, socket, head) => {
        socket.once('close', () => resolve());
        serveCommand(socket, head, 2, (streams) => {
          streams.get('stdout')!.write('x');
          return new Promise(() => undefined);
        });
      };
    });
    const socket = new WebSocket(
      `${cluster.url.replace('https', 'wss')}${POD}/exec?command=x&stdout=true`,
      V5,
      credentials(),
    );
    socket.on('message', (data: Buffer) => data.length > 1 && socket.terminate());
    await left;
  });
});

describe('other upgrades', () => {
  it('are passed on byte by byte', async () => {
    kubelet.upgrade = ({ headers }, socket) => {
      expect(headers['authorization']).toBeUndefined();
      socket.end(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${headers.upgrade}\r\n\r\nbytes`,
      );
    };
    const outgoing = startRequest(`${cluster.url}${POD}/exec?command=x&stdout=true`, {
      ...credentials(),
      method: 'POST',
      headers: { connection: 'Upgrade', upgrade: 'SPDY/3.1' },
    });
    outgoing.end();
    const [, socket, head] = await once(outgoing, 'upgrade');
    expect(head.toString() + (await text(socket))).toBe('bytes');
  });

  it('need an upgrade request', async () => {
    expect(await message(`${POD}/exec?command=x&stdout=true`)).toBe('Upgrade request required');
  });
});

const TUNNEL = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
  'sec-websocket-protocol': 'SPDY/3.1+portforward.k8s.io',
};

describe('a port-forward inside a WebSocket', () => {
  const open = () => {
    const outgoing = startRequest(`${cluster.url}${POD}/portforward`, { ...credentials(), headers: TUNNEL });
    outgoing.end();
    return outgoing;
  };

  it('is passed to the kubelet as SPDY', async () => {
    kubelet.upgrade = ({ headers }, socket) => {
      expect(headers).toMatchObject({
        upgrade: 'SPDY/3.1',
        'x-stream-protocol-version': 'portforward.k8s.io',
      });
      agreeToSpdy(socket, 'portforward.k8s.io');
      socket.once('data', (data) => socket.end(`got ${data}`));
    };
    const [response, socket] = await once(open(), 'upgrade');
    expect(response.headers['sec-websocket-protocol']).toBe('SPDY/3.1+portforward.k8s.io');
    const content = Buffer.from('frames');
    // A binary message with a mask of zeros.
    socket.write(Buffer.concat([Buffer.from([0x82, 0x80 | content.length, 0, 0, 0, 0]), content]));
    expect(await text(socket)).toContain('got frames');
  });

  it('passes the refusal of the kubelet on', async () => {
    kubelet.upgrade = (_, socket) =>
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno');
    const [response] = await once(open(), 'response');
    expect(response.statusCode).toBe(404);
    expect(await text(response)).toBe('no');
  });
});

describe('the proxies of objects', () => {
  it('do not lead to this machine', async () => {
    expect(await message('/api/v1/nodes/real/proxy/metrics')).toBe('address not allowed');
    expect(await message(`${POD}/proxy/`)).toBe('address not allowed');
  });

  it('name services without a reachable pod', async () => {
    await send('POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'web' },
      spec: { ports: [{ port: 80 }] },
    });
    await send('POST', '/api/v1/namespaces/default/endpoints', {
      metadata: { name: 'web' },
      subsets: [{ addresses: [{ ip: '192.0.2.7' }], ports: [{ port: 80 }] }],
    });
    const path = '/api/v1/namespaces/default/services';
    expect(await message(`${path}/web:80/proxy/`)).toBe('no endpoints available for service "web:80"');
    expect(await message(`${path}/web:81/proxy/`)).toBe('no service port 81 found for service "web"');
  });
});
