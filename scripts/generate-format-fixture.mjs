#!/usr/bin/env node
// Writes test/fixtures/formats/NAME: a small data directory and a backup of it as a build wrote them, compressed, and
// what the server served. Run it once for each data format, with the build of the release that introduced it:
//
//   node scripts/generate-format-fixture.mjs format-2 dist/main.js
//
// --without-custom-resources is for builds that did not serve them.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const [name, program, option] = process.argv.slice(2);
const withCustomResources = option !== '--without-custom-resources';
if (program === undefined) {
  console.error('usage: node scripts/generate-format-fixture.mjs NAME dist/main.js');
  process.exit(1);
}
const target = fileURLToPath(new URL(`../test/fixtures/formats/${name}`, import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'binnacle-format-'));
const [data, backup] = [join(directory, 'data'), join(directory, 'backup')];

const NAMESPACE = '/api/v1/namespaces/fixture';
const CRONTABS = '/apis/stable.example.com/v1/namespaces/fixture/crontabs';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Lists whose items every later version serves alike. */
const SERVED = [
  `${NAMESPACE}/configmaps?labelSelector=fixture`,
  `${NAMESPACE}/secrets`,
  `${NAMESPACE}/services`,
  '/apis/apps/v1/namespaces/fixture/deployments',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/fixture/roles',
  '/apis/coordination.k8s.io/v1/namespaces/fixture/leases',
  ...(withCustomResources ? [CRONTABS] : []),
];

const labels = { fixture: 'true' };
const configMap = (suffix, data) => ({ metadata: { name: `settings-${suffix}`, labels }, data });
const pod = {
  metadata: { labels: { app: 'web' } },
  spec: {
    containers: [{ name: 'web', image: 'registry.example/web:1', resources: { limits: { cpu: '500m' } } }],
  },
};
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'crontabs.stable.example.com' },
  spec: {
    group: 'stable.example.com',
    scope: 'Namespaced',
    names: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { schedule: { type: 'string' }, replicas: { type: 'integer', default: 1 } },
              },
            },
          },
        },
      },
    ],
  },
};

/** Requests in their order. */
const WRITES = [
  ['POST', '/api/v1/namespaces', { metadata: { name: 'fixture' } }],
  ['POST', `${NAMESPACE}/configmaps`, configMap('plain', { greeting: 'Grüße, 世界' })],
  ['POST', `${NAMESPACE}/configmaps`, { ...configMap('binary', {}), binaryData: { bytes: 'AAECgP//' } }],
  ['POST', `${NAMESPACE}/configmaps`, configMap('changed', { step: 'one' })],
  ['PUT', `${NAMESPACE}/configmaps/settings-changed`, configMap('changed', { step: 'two' })],
  ['POST', `${NAMESPACE}/configmaps`, configMap('deleted', { gone: 'yes' })],
  ['DELETE', `${NAMESPACE}/configmaps/settings-deleted`],
  [
    'POST',
    `${NAMESPACE}/secrets`,
    { metadata: { name: 'password' }, stringData: { password: 'not a secret' } },
  ],
  [
    'POST',
    `${NAMESPACE}/services`,
    { metadata: { name: 'internal' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } },
  ],
  [
    'POST',
    `${NAMESPACE}/services`,
    {
      metadata: { name: 'external' },
      spec: { type: 'NodePort', selector: { app: 'web' }, ports: [{ port: 443, nodePort: 30443 }] },
    },
  ],
  [
    'POST',
    '/apis/apps/v1/namespaces/fixture/deployments',
    {
      metadata: { name: 'web' },
      spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: pod },
    },
  ],
  [
    'POST',
    '/apis/rbac.authorization.k8s.io/v1/namespaces/fixture/roles',
    {
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }],
    },
  ],
  [
    'POST',
    '/apis/coordination.k8s.io/v1/namespaces/fixture/leases',
    {
      metadata: { name: 'leader' },
      spec: { holderIdentity: 'first', leaseDurationSeconds: 15, renewTime: '2026-01-02T03:04:05.678901Z' },
    },
  ],
  ['POST', DEFINITIONS, definition],
];
const CRONTAB = {
  apiVersion: 'stable.example.com/v1',
  kind: 'CronTab',
  metadata: { name: 'nightly' },
  spec: { schedule: '0 3 * * *' },
};

async function startServer() {
  const child = spawn(
    process.execPath,
    [resolve(program), `--data-dir=${data}`, '--secure-port=0', '--controllers=-*'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    const found = /is ready at (\S+)/.exec(line);
    if (found !== null) return { child, url: found[1].replace(/\.$/, '') };
  }
  throw new Error('the server ended instead of serving');
}

/** The administrator's credentials of the kubeconfig. */
function credentials() {
  const text = readFileSync(join(data, 'kubeconfig'), 'utf8');
  const part = (key) => Buffer.from(new RegExp(`${key}: (\\S+)`).exec(text)[1], 'base64');
  return {
    ca: part('certificate-authority-data'),
    cert: part('client-certificate-data'),
    key: part('client-key-data'),
  };
}

function call(url, method, path, body) {
  return new Promise((done, fail) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
    const sent = request(
      url + path,
      { method, headers, agent: false, ...credentials() },
      async (response) => {
        const answer = (await response.toArray()).join('');
        if (response.statusCode >= 300)
          fail(Object.assign(new Error(`${method} ${path}: ${answer}`), { status: response.statusCode }));
        else done(JSON.parse(answer));
      },
    );
    sent.on('error', fail);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Creates an object of a kind that is served some time after its definition. */
async function createCustom(url) {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    try {
      return await call(url, 'POST', CRONTABS, CRONTAB);
    } catch (error) {
      if (error.status !== 404) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error('the custom resource is not served');
}

function pack(from, to) {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('-lock') || entry.name === 'kubeconfig') continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const copy = `${join(to, path.slice(from.length))}.gz`;
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, gzipSync(readFileSync(path), { level: 9 }));
  }
}

try {
  const { child, url } = await startServer();
  const ended = once(child, 'close');
  const served = {};
  try {
    for (const [method, path, body] of WRITES) await call(url, method, path, body);
    if (withCustomResources) await createCustom(url);
    for (const path of SERVED) served[path] = (await call(url, 'GET', path)).items;
    execFileSync(process.execPath, [resolve(program), 'backup', backup, `--data-dir=${data}`], {
      stdio: 'inherit',
    });
  } finally {
    child.kill('SIGTERM');
  }
  await ended;
  rmSync(target, { recursive: true, force: true });
  pack(data, join(target, 'data-directory'));
  pack(backup, join(target, 'backup'));
  writeFileSync(join(target, 'served.json'), `${JSON.stringify(served, undefined, 1)}\n`);
  console.log(`wrote ${target}`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
