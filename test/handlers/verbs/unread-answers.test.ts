import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createInProcessExchange } from '../../../src/connection/in-process.ts';
import { type RunningServer, startServer } from '../../../src/server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

let server: RunningServer;
let peerCertificates: X509Certificate[];
beforeAll(async () => {
  server = await startServer(
    { storageBackend: 'memory', securePort: 0, controllers: ['-*'] },
    { log: () => undefined },
  );
  const [, certificate = ''] = /client-certificate-data: (\S+)/.exec(server.kubeconfig) ?? [];
  peerCertificates = [new X509Certificate(Buffer.from(certificate, 'base64'))];
});
afterAll(() => server.stop());

/** Sends a request of a client that reads errors only. */
async function send(method: string, target: string, body?: object, type = 'application/json') {
  const { exchange, response } = createInProcessExchange({
    method,
    target,
    peerCertificates,
    headers: { 'content-type': type },
    ...(body && { body: JSON.stringify(body) }),
    ignoresAnswer: true,
  });
  server.handle(exchange);
  const answer = await response;
  const chunks = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  return { status: answer.status, text: Buffer.concat(chunks).toString() };
}

it('does not make the answers of writes that a client does not read, but those with an error', async () => {
  const map = { metadata: { name: 'one' }, data: { a: '1' } };
  expect(await send('POST', MAPS, map)).toEqual({ status: 201, text: '' });
  const change = { data: { b: '2' } };
  expect(await send('PATCH', `${MAPS}/one`, change, 'application/merge-patch+json')).toEqual({
    status: 200,
    text: '',
  });
  expect(await send('PUT', `${MAPS}/one`, { ...map, data: { c: '3' } })).toEqual({ status: 200, text: '' });
  const refused = await send('POST', MAPS, map);
  expect(refused.status).toBe(409);
  expect(JSON.parse(refused.text)).toMatchObject({ kind: 'Status', reason: 'AlreadyExists' });
});
