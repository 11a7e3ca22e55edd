#!/usr/bin/env node
// Records what a kube-apiserver serves, for the comparison with a release: discovery, OpenAPI documents, table columns,
// bootstrap objects, feature gates, metrics and health checks. Usage:
//   node scripts/record-release.mjs https://127.0.0.1:6443 TOKEN test/fixtures/recorded/1.34/default.json.br
// TOKEN is a bearer token of an administrator. The server must be new: what it has at the start is recorded.

import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { brotliCompressSync, constants } from 'node:zlib';

const [server, token, file] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: record-release.mjs SERVER TOKEN FILE');
  process.exit(2);
}

/** Status and text of a GET. */
function get(path, accept = 'application/json') {
  const options = { rejectUnauthorized: false, headers: { authorization: `Bearer ${token}`, accept } };
  return new Promise((resolve, reject) => {
    request(new URL(path, server), options, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }),
      );
    })
      .on('error', reject)
      .end();
  });
}

async function json(path, accept) {
  const { status, text } = await get(path, accept);
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${text.slice(0, 200)}`);
  return JSON.parse(text);
}

/** Descriptions are texts of each product. */
const withoutDescriptions = (value) =>
  JSON.parse(
    JSON.stringify(value, (name, member) =>
      name === 'description' && typeof member === 'string' ? undefined : member,
    ),
  );

/** Removes what each server chooses. */
const objects = ({ items }) =>
  items.map(
    ({ metadata: { uid, creationTimestamp, resourceVersion, managedFields, ...metadata }, ...rest }) => ({
      metadata,
      ...rest,
    }),
  );

const AGGREGATED = (version) =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList,application/json`;
const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const BOOTSTRAP = [
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  '/apis/rbac.authorization.k8s.io/v1/roles',
  '/apis/rbac.authorization.k8s.io/v1/rolebindings',
  '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
  '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
  '/apis/scheduling.k8s.io/v1/priorityclasses',
  '/apis/apiregistration.k8s.io/v1/apiservices',
  '/api/v1/namespaces',
];

async function discovery() {
  const found = {};
  for (const path of ['/version', '/', '/api', '/api/v1', '/apis']) found[path] = await json(path);
  for (const version of ['v2', 'v2beta1'])
    for (const path of ['/api', '/apis']) found[`${path} ${version}`] = await json(path, AGGREGATED(version));
  for (const { name, versions } of found['/apis'].groups) {
    found[`/apis/${name}`] = await json(`/apis/${name}`);
    for (const { groupVersion } of versions)
      found[`/apis/${groupVersion}`] = await json(`/apis/${groupVersion}`);
  }
  return found;
}

async function openapi() {
  const { paths } = await json('/openapi/v3');
  const documents = { '/openapi/v2': withoutDescriptions(await json('/openapi/v2')) };
  for (const [name, { serverRelativeURL }] of Object.entries(paths))
    documents[`/openapi/v3/${name}`] = withoutDescriptions(await json(serverRelativeURL));
  return documents;
}

async function columns(documents) {
  const found = {};
  for (const [path, { resources }] of Object.entries(documents).filter(
    ([, { kind }]) => kind === 'APIResourceList',
  ))
    for (const { name, verbs } of resources) {
      if (name.includes('/') || !verbs.includes('list')) continue;
      const { columnDefinitions = [] } = await json(`${path}/${name}`, TABLE);
      found[`${path}/${name}`] = withoutDescriptions(columnDefinitions);
    }
  return found;
}

/** Gates from the metric that shows them, and the names, types and stabilities of metrics. */
async function metrics() {
  const { text } = await get('/metrics', 'text/plain');
  const gates = {};
  for (const [, name, stage, value] of text.matchAll(
    /^kubernetes_feature_enabled\{name="([^"]+)",stage="([^"]*)"\} (\d)$/gm,
  ))
    gates[name] = [stage, value === '1'];
  const families = {};
  for (const [, name, stability] of text.matchAll(/^# HELP (\S+) \[(\w+)\]/gm)) families[name] = [stability];
  for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\w+)$/gm)) families[name]?.push(type);
  return { gates, families };
}

const checks = async (path) =>
  [...(await get(`${path}?verbose`)).text.matchAll(/^\[.\]([\w/-]+) /gm)].map(([, name]) => name);

const documents = await discovery();
const { gates, families } = await metrics();
const bootstrap = {};
for (const path of BOOTSTRAP) bootstrap[path] = objects(await json(path));
const recording = {
  discovery: documents,
  openapi: await openapi(),
  columns: await columns(documents),
  bootstrap,
  gates,
  metrics: families,
  checks: { '/livez': await checks('/livez'), '/readyz': await checks('/readyz') },
};
const content = brotliCompressSync(JSON.stringify(recording), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
});
writeFileSync(file, content);
console.log(`${file}: ${content.length} bytes`);
