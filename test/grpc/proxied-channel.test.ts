import { createSecureServer, createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { frame } from '../../src/grpc/grpc.ts';
import { Http2Channel } from '../../src/grpc/http2-channel.ts';
import { connectProxyDialer } from '../../src/outbound/connect-proxy.ts';
import { ConnectProxyServer } from '../outbound/connect-proxy-server.ts';
import { authority, serverCertificate } from '../outbound/servers.ts';

/** Answers every call with the bytes `pong`. */
function answer(stream: ServerHttp2Stream): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.resume();
  stream.end(frame(Buffer.from('pong')));
}

const OBSERVER = { started: () => undefined, connected: () => undefined, failed: () => undefined };
const TIMES = { connectTimeout: 5000, keepaliveInterval: 5000, keepaliveTimeout: 3000 };

describe('a channel through a proxy', () => {
  let proxy: ConnectProxyServer;
  let server: Http2Server | undefined;
  let channel: Http2Channel | undefined;
  beforeEach(async () => {
    proxy = await new ConnectProxyServer().listen();
  });
  afterEach(async () => {
    channel?.close();
    await proxy.close();
    server?.close();
  });
  const listen = async (started: Http2Server) => {
    server = started;
    started.on('stream', answer);
    await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
    return (started.address() as AddressInfo).port;
  };
  const open = (url: string, tls?: { ca: string }) => {
    const dial = connectProxyDialer(
      { address: { host: '127.0.0.1', port: proxy.port }, tls: undefined, serversSpeakFirst: true },
      OBSERVER,
    );
    channel = new Http2Channel(url, { ...TIMES, dial, ...(tls === undefined ? {} : { tls }) });
    return channel;
  };
  const call = async (through: Http2Channel) =>
    (await through.unary('/etcdserverpb.KV/Range', Buffer.from('ping'), { timeout: 5000 })).toString();

  it('asks the proxy for the name of the endpoint, which only the proxy can reach', async () => {
    proxy.routes.set('etcd.example:2379', await listen(createServer()));
    const opened = open('http://etcd.example:2379');
    expect(await Promise.all([call(opened), call(opened)])).toEqual(['pong', 'pong']);
    expect(await call(opened)).toBe('pong');
    expect(proxy.targets).toEqual(['etcd.example:2379']);
  });

  it('verifies the certificate of the endpoint behind the proxy', async () => {
    const identity = serverCertificate({ hosts: ['etcd.example'] });
    const ca = authority.certificate;
    const port = await listen(createSecureServer(identity));
    proxy.routes.set('etcd.example:2379', port);
    proxy.routes.set('other.example:2379', port);
    expect(await call(open('https://etcd.example:2379', { ca }))).toBe('pong');
    channel?.close();
    await expect(call(open('https://other.example:2379', { ca }))).rejects.toThrow('other.example');
  });

  it('fails with the proxy, and connects when the proxy is back', async () => {
    proxy.routes.set('etcd.example:2379', await listen(createServer()));
    proxy.refusal = 'HTTP/1.1 403 Forbidden\r\n\r\n';
    const opened = open('http://etcd.example:2379');
    await expect(call(opened)).rejects.toThrow('code 403');
    proxy.refusal = undefined;
    expect(await call(opened)).toBe('pong');
  });
});
