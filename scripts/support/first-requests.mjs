// What clients ask a new server for: each way through its code once or twice.
import { connect } from 'node:http2';
import { request } from 'node:https';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const NAMESPACE = '/api/v1/namespaces/default';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

const container = {
  name: 'main',
  image: 'registry.example.com/application:1.0',
  env: [{ name: 'SETTING', value: 'value' }],
  ports: [{ containerPort: 8080 }],
  resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
  readinessProbe: { httpGet: { path: '/readyz', port: 8080 } },
};
const labels = { app: 'application' };
const template = { metadata: { labels }, spec: { containers: [container] } };
const OBJECTS = [
  [`${NAMESPACE}/configmaps`, { metadata: { name: 'first', labels }, data: { key: 'value' } }],
  [`${NAMESPACE}/secrets`, { metadata: { name: 'first' }, stringData: { key: 'value' } }],
  [
    `${NAMESPACE}/services`,
    { metadata: { name: 'first' }, spec: { selector: labels, ports: [{ port: 80 }] } },
  ],
  [`${NAMESPACE}/pods`, { metadata: { name: 'first', labels }, spec: template.spec }],
  [
    DEPLOYMENTS,
    { metadata: { name: 'first' }, spec: { replicas: 0, selector: { matchLabels: labels }, template } },
  ],
  [
    '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    { metadata: { name: 'first' }, spec: { holderIdentity: 'first', leaseDurationSeconds: 15 } },
  ],
];
const DOCUMENTS = ['/version', '/readyz', '/api', '/apis', '/api/v1', '/apis/apps/v1', '/openapi/v3'];

/** Sends the requests; fails for an answer that is not expected. */
export async function sendFirstRequests(url, token) {
  const session = connect(url, { rejectUnauthorized: false });
  try {
    const ask = (path, options) => overHttp2(session, token, path, options);
    for (const accept of ['application/json', AGGREGATED])
      for (const path of DOCUMENTS) await ask(path, { accept: `${accept},*/*` });
    await ask('/openapi/v3/apis/apps/v1');
    for (const [path, object] of OBJECTS) await writeAndRead(ask, path, object);
    await overHttp1(url, token, `${NAMESPACE}/configmaps`);
  } finally {
    session.destroy();
  }
}

function writeAndRead(ask, path, object) {
  return Promise.all([
    ask(`${path}?watch=1&timeoutSeconds=1`),
    changeAndRead(ask, path, `${path}/${object.metadata.name}`, object),
  ]);
}

async function changeAndRead(ask, path, one, object) {
  const patch = JSON.stringify({ metadata: { annotations: { patched: 'true' } } });
  const created = JSON.parse(await ask(path, { method: 'POST', body: JSON.stringify(object) }));
  const { apiVersion, kind } = created;
  await ask(path, { method: 'POST', body: JSON.stringify(object), expected: 409 });
  created.metadata.annotations = { changed: 'true' };
  // The scheduler changes Pods at the same time; only Leases need a version.
  if (!path.endsWith('/leases')) delete created.metadata.resourceVersion;
  await ask(one, { method: 'PUT', body: JSON.stringify(created) });
  await ask(one, { method: 'PATCH', type: 'application/merge-patch+json', body: patch });
  await ask(one, { method: 'PATCH', type: 'application/strategic-merge-patch+json', body: patch });
  await ask(`${one}?fieldManager=first&force=true`, {
    method: 'PATCH',
    type: 'application/apply-patch+yaml',
    body: JSON.stringify({ apiVersion, kind, metadata: { labels: { applied: 'true' } } }),
  });
  for (const accept of ['application/json', PROTOBUF, `${PROTOBUF},application/json`])
    for (const read of [one, path, `${path}?limit=1`, `${path}?labelSelector=app%3Dapplication`])
      await ask(read, { accept });
  for (const read of [one, path]) await ask(read, { accept: TABLE });
  await ask(`${one}-unknown`, { expected: 404 });
  await ask(one, { method: 'DELETE' });
}

function overHttp2(session, token, path, options = {}) {
  const { method = 'GET', accept = 'application/json', type = 'application/json', body, expected } = options;
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': method,
      ':path': path,
      authorization: `Bearer ${token}`,
      accept,
      'accept-encoding': 'gzip',
      ...(body !== undefined && { 'content-type': type }),
    });
    stream.on('response', ({ ':status': status }) => {
      if (expected === undefined ? status >= 400 : status !== expected)
        reject(new Error(`${method} ${path} answered ${status}`));
    });
    stream.on('error', reject);
    const chunks = [];
    stream.on('data', (chunk) => chunks.push(chunk));
    stream.on('end', () => resolve(Buffer.concat(chunks)));
    stream.end(body);
  });
}

function overHttp1(url, token, path) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    request(`${url}${path}`, { headers, rejectUnauthorized: false, agent: false }, (answer) =>
      answer.resume().on('end', resolve),
    )
      .on('error', reject)
      .end();
  });
}
