#!/usr/bin/env node
// Checks the imports in src/: their direction between parts of the architecture (type-only imports included),
// import cycles, and unused permissions. Type-only imports between two files of one part are not a cycle: they
// do not exist at run time. Also checks that files take time and timers from the clocks of src/time/.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import typescript from 'typescript';
import { clockUses } from './support/clock-uses.mjs';

/** Libraries that every part may import. */
const LEAVES = [
  'addresses',
  'errors',
  'collections',
  'steps',
  'time',
  'schema',
  'status',
  'model',
  'codec',
  'observability',
];

/**
 * The parts that each part may import, besides itself. `part/file.ts` permits a single file: the interface
 * that the part offers to others. Parts that are not in any list (composition, server.ts …) are only imported
 * by main.ts and index.ts.
 */
const ALLOWED = {
  // Wall time, monotonic time and timers.
  time: ['errors'],
  // Leaf libraries; each may import the previous ones.
  observability: ['time/clock.ts'],
  addresses: [],
  collections: [],
  http2: [],
  status: ['errors/aggregate.ts', 'errors/quote.ts', 'errors/shown.ts'],
  // Long work that pauses, and the turns of the event loop in which it runs.
  steps: ['time/clock.ts', 'time/event-loop.ts'],
  schema: ['errors', 'addresses', 'status', 'steps', 'time/calendar.ts', 'time/duration.ts'],
  model: ['errors', 'schema', 'time/calendar.ts'],
  codec: ['errors', 'steps', 'model', 'schema', 'time/duration.ts'],
  patch: ['codec', 'steps', 'errors/quote.ts', 'model', 'status', 'schema'],
  apply: ['errors', 'steps', 'patch', 'codec', 'model', 'status', 'schema'],
  // Paths of group versions.
  openapi: ['schema', 'model/object.ts'],
  // Quantities, name syntax and JSON objects are defined once; these files need nothing else of the model.
  cel: [
    'errors',
    'addresses',
    'collections',
    'steps',
    'time',
    'model/quantity.ts',
    'model/label-syntax.ts',
    'model/trim-end.ts',
    'model/json-object.ts',
    'model/go-boolean.ts',
  ],

  // Outgoing requests: to webhooks and token issuers.
  outbound: [
    'addresses',
    'errors',
    'steps',
    'codec',
    'model/json-object.ts',
    'time',
    'observability/span.ts',
  ],

  // Profiles of the process.
  profiling: ['errors', 'time/clock.ts'],

  // Client of gRPC: etcd, key services, collectors of spans.
  grpc: ['addresses', 'errors', 'time/clock.ts'],

  // Export of spans to a collector: encoding, transport, sampling.
  tracing: ['addresses', 'codec/protobuf-writer.ts', 'grpc', 'observability', 'outbound', 'time'],

  // The interfaces between parts. A request contains its exchange.
  request: [
    'errors',
    'steps',
    'connection/exchange.ts',
    'model',
    'observability/span.ts',
    'status',
    'time/clock.ts',
  ],

  // Priority and fairness: decides when a request begins.
  'flow-control': ['request', ...LEAVES],

  // The path of a request, in order.
  connection: ['collections', 'errors', 'http2', 'time/clock.ts'],
  filters: [
    'request',
    'flow-control/index.ts',
    'connection/exchange.ts',
    'handlers',
    'operations',
    'kinds',
    'resources',
    'authorization/forbidden.ts',
    ...LEAVES,
  ],
  // The token subresource issues the tokens that the service account authenticator accepts.
  handlers: [
    'request',
    'connection',
    'operations',
    'kinds',
    'resources',
    'cache',
    'storage',
    'authentication/service-account/index.ts',
    'patch',
    'openapi',
    ...LEAVES,
  ],
  operations: ['request', 'kinds', 'resources', 'cache', 'storage', 'apply', ...LEAVES],
  // What a kind is: names, defaults, validation, update rules, tables. Kinds know no cache, storage or resource.
  kinds: ['pki/der.ts', 'pki/pem.ts', 'request', 'openapi/custom-kind.ts', 'cel', ...LEAVES],
  // What serves a kind at run time: its codec, its cache, its versions.
  resources: ['kinds', 'cache', 'storage', 'patch', 'apply', ...LEAVES],
  // The running allocator of addresses and ports, with a store of its own.
  allocation: ['kinds', 'resources', 'storage', ...LEAVES],
  // The objects of a resource as the records of its cache, decoded once for all that follow them.
  // Controllers may read what they are permitted to list and watch.
  reader: [
    'authorization/forbidden.ts',
    'cache',
    'controllers/back-off.ts',
    'resources',
    'request',
    'storage',
    ...LEAVES,
  ],
  cache: ['collections', 'storage', 'status', 'time/clock.ts', 'time/event-loop.ts'],
  // The messages of etcd are protobuf.
  storage: [
    'observability',
    'errors',
    'grpc',
    'files/directory-entries.ts',
    'files/make-directory.ts',
    'time',
    'codec/protobuf-reader.ts',
    'codec/protobuf-writer.ts',
    // Keys of encryption at rest: a bounded cache, and names in what a key service answers.
    'collections',
    'model/label-syntax.ts',
  ],

  // Parts that implement the interfaces in request/ and are connected by the composition.
  audit: ['request', 'connection/exchange.ts', ...LEAVES],
  authentication: ['request', 'cel', 'outbound', 'pki', ...LEAVES],
  authorization: ['request', 'cel', 'outbound', ...LEAVES],
  // Quota usage: computed at admission, and by the controller that releases it.
  quota: [...LEAVES],
  // Webhooks and policies: calls to webhooks, expressions, patches.
  admission: ['request', 'quota', 'pki/der.ts', 'pki/pem.ts', 'cel', 'outbound', 'patch', ...LEAVES],
  controllers: [
    'reader/object-source.ts',
    'request',
    'quota',
    'pki/pem.ts',
    'pki/requested-certificate.ts',
    ...LEAVES,
  ],
  // Errors of the program; errors of the API are in status/.
  errors: [],
  files: ['errors', 'time/clock.ts'],
  // Connections to other servers, and the kubeconfig for clients of this one.
  kubeconfig: [
    'errors',
    'files',
    'outbound/endpoint.ts',
    'pki/issue-certificate.ts',
    'codec',
    'model/json-object.ts',
  ],
  // Certificates, keys, certificate requests and CAs.
  pki: ['addresses', 'errors', 'files', 'options', 'observability'],
  // Flags, feature gates and configuration documents: parsing, defaults and validation.
  options: ['files', ...LEAVES],
  // Typed, read-only views over caches for authorizers, quota, admission and controllers, whose interfaces
  // they implement.
  listers: [
    'reader',
    'kinds',
    'resources',
    'cache',
    'storage',
    'admission/listers.ts',
    'admission/policy/objects.ts',
    'authentication/service-account/index.ts',
    'authorization/rbac-types.ts',
    'authorization/node/relations.ts',
    'controllers/client.ts',
    'controllers/garbage-collector/objects.ts',
    'controllers/namespace/content.ts',
    'controllers/resource-quota/counted-objects.ts',
    'quota/counted.ts',
    'flow-control/index.ts',
    'outbound/service-resolver.ts',
    ...LEAVES,
  ],
  // Custom resources: what a definition makes of a kind.
  // The control loops of the API server for definitions share the work queue of the controllers.
  extensions: [
    'bootstrap/api-services.ts',
    'controllers/work-queue.ts',
    // The kinds of extension servers, for controllers: the interface that it implements.
    'controllers/remote-kinds.ts',
    // The proxy to extension servers passes exchanges on.
    'connection/exchange.ts',
    'operations',
    'reader',
    'kinds',
    'resources',
    'collections',
    'openapi',
    'outbound',
    'cache',
    'request',
    'apply',
    'cel',
    'storage',
    ...LEAVES,
  ],
  // Loops by which a server appears in its cluster, and agrees with others on the same store.
  replicas: [
    'controllers',
    'allocation',
    'bootstrap/cluster-service.ts',
    'bootstrap/index.ts',
    'resources',
    'storage',
    ...LEAVES,
  ],
  // Initial objects of every cluster.
  bootstrap: [
    'authorization/rbac-types.ts',
    // Bootstrap roles are reconciled with the authorizer's rule for covered permissions.
    'authorization/rule-coverage.ts',
    'controllers/authentication-map.ts',
    'replicas/identity-lease.ts',
    'operations/ownership.ts',
    'kinds',
    'resources',
    'cache',
    'storage',
    ...LEAVES,
  ],

  // Creates and connects all parts.
  composition: ['*'],
  // Commands for operators.
  cli: ['*'],
  'server.ts': ['*'],
  testing: ['*'],
  'index.ts': ['*'],
  'main.ts': ['*'],
};

/** Parts that only the composition imports. */
const WIRING = new Set(['composition', 'cli', 'server.ts', 'testing', 'index.ts', 'main.ts']);

const partOf = (file) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : file);

/** Whether an import or export declaration contains only types, which do not exist at run time. */
function isTypeOnly(statement) {
  const clause = typescript.isImportDeclaration(statement) ? statement.importClause : statement;
  if (clause === undefined) return false;
  const named = typescript.isImportDeclaration(statement) ? clause.namedBindings : clause.exportClause;
  const allTypes =
    named !== undefined &&
    'elements' in named &&
    named.elements.length > 0 &&
    named.elements.every(({ isTypeOnly }) => isTypeOnly);
  return clause.isTypeOnly || (allTypes && clause.name === undefined);
}

/**
 * Returns the imports of `file` below src/: `all` by any import, export, import() or import type; `loaded`
 * those that are loaded before the file itself.
 */
function importsOf(file, known, problems) {
  const text = readFileSync(join('src', file), 'utf8');
  const resolve = (specifier) => normalize(join(dirname(file), specifier));
  const all = new Set();
  for (const { fileName } of typescript.preProcessFile(text, true, true).importedFiles) {
    if (!fileName.startsWith('.')) continue;
    if (known.has(resolve(fileName))) all.add(resolve(fileName));
    else problems.push(`src/${file} imports ${fileName}, which is not a file below src/`);
  }
  const declarations = typescript
    .createSourceFile(file, text, typescript.ScriptTarget.ES2022)
    .statements.filter(
      (statement) =>
        (typescript.isImportDeclaration(statement) || typescript.isExportDeclaration(statement)) &&
        statement.moduleSpecifier !== undefined,
    );
  const loaded = declarations
    .filter((statement) => !isTypeOnly(statement))
    .map((statement) => resolve(statement.moduleSpecifier.text));
  return { all: [...all], loaded: loaded.filter((target) => known.has(target)) };
}

function isAllowed(from, target) {
  const allowed = ALLOWED[from];
  const to = partOf(target);
  if (from === to || allowed.includes('*')) return true;
  return !WIRING.has(to) && (allowed.includes(to) || allowed.includes(target));
}

/**
 * Returns a problem for each unused entry of the table: the part has no files, or none of its files has the
 * import. `...LEAVES` is one entry.
 */
function unusedPermissions(graph) {
  const used = new Map();
  for (const [file, { all }] of graph) {
    const targets = used.get(partOf(file)) ?? new Set();
    used.set(partOf(file), targets);
    for (const target of all) targets.add(target).add(partOf(target));
  }
  return Object.entries(ALLOWED).flatMap(([from, allowed]) => {
    const targets = used.get(from);
    if (targets === undefined) return [`scripts/check-imports.mjs: ${from} has no files`];
    const hasLeaves = LEAVES.every((leaf) => allowed.includes(leaf));
    const isLeaf = (entry) => hasLeaves && LEAVES.includes(entry);
    const isUsed = (entry) =>
      entry === '*' || (targets.has(entry) && (entry === partOf(entry) || !allowed.includes(partOf(entry))));
    const unused = allowed.filter((entry) => !isLeaf(entry) && !isUsed(entry));
    if (hasLeaves && !LEAVES.some((leaf) => targets.has(leaf))) unused.push('...LEAVES');
    return unused.map((entry) => `scripts/check-imports.mjs: ${from} does not need the permission ${entry}`);
  });
}

/** Returns the cycles that a walk through the graph closes; empty exactly if the graph has none. */
function cycles(graph) {
  const found = [];
  const state = new Map();
  const path = [];
  const visit = (file) => {
    state.set(file, 'open');
    path.push(file);
    for (const target of graph.get(file)) {
      if (state.get(target) === 'open') found.push([...path.slice(path.indexOf(target)), target]);
      else if (state.get(target) === undefined) visit(target);
    }
    path.pop();
    state.set(file, 'done');
  };
  for (const file of graph.keys()) if (state.get(file) === undefined) visit(file);
  return found;
}

const problems = [];
const files = readdirSync('src', { recursive: true })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));
const known = new Set(files);
const graph = new Map(files.map((file) => [file, importsOf(file, known, problems)]));
for (const [file, { all }] of graph) {
  const from = partOf(file);
  if (ALLOWED[from] === undefined) {
    problems.push(`src/${file}: ${from} is not in the table of scripts/check-imports.mjs`);
    continue;
  }
  for (const target of all)
    if (!isAllowed(from, target))
      problems.push(`src/${file} imports src/${target}: ${from} may not import ${partOf(target)}`);
}
for (const cycle of cycles(new Map([...graph].map(([file, { loaded }]) => [file, loaded]))))
  problems.push(`cycle: ${cycle.map((file) => `src/${file}`).join(' → ')}`);
problems.push(...unusedPermissions(graph));
for (const file of files) problems.push(...clockUses(`src/${file}`, readFileSync(join('src', file), 'utf8')));

for (const problem of problems) console.error(problem);
console.log(
  `${files.length} files, ${[...graph.values()].flatMap(({ all }) => all).length} imports, ${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
