// What each part of src/ may import, and what it does. scripts/check-imports.mjs checks the imports, and
// scripts/generate-map.mjs writes docs/map.md.

/** Libraries that every part may import. */
export const LEAVES = [
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
export const ALLOWED = {
  time: ['errors', 'collections/bounded-map.ts'],
  observability: ['time/clock.ts'],
  addresses: [],
  collections: [],
  http2: [],
  status: ['errors/aggregate.ts', 'errors/quote.ts', 'errors/shown.ts'],
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
    'model/name-syntax.ts',
    'model/trim-end.ts',
    'model/json-object.ts',
    'model/go-boolean.ts',
  ],
  outbound: [
    'addresses',
    'errors',
    'steps',
    'codec',
    'model/json-object.ts',
    // The client configuration of webhooks.
    'model/generated/admissionregistration-v1.ts',
    'time',
    'observability/span.ts',
  ],
  streaming: ['errors'],
  // Requests that are passed on to other servers.
  proxy: ['connection/exchange.ts', 'request', 'outbound', ...LEAVES],
  kubelets: ['connection/exchange.ts', 'outbound', 'proxy', 'request', 'streaming', ...LEAVES],
  profiling: ['errors', 'time/clock.ts'],
  grpc: ['addresses', 'errors', 'time/clock.ts'],
  tracing: ['addresses', 'codec/protobuf-writer.ts', 'grpc', 'observability', 'outbound', 'time'],
  // A request contains its exchange.
  request: [
    'errors',
    'steps',
    'connection/exchange.ts',
    'model',
    'observability/span.ts',
    'status',
    'time/clock.ts',
  ],
  'flow-control': ['request', ...LEAVES],
  connection: ['collections', 'errors', 'http2', 'streaming/channels/handshake.ts', 'time/clock.ts'],
  faults: ['connection/exchange.ts', 'connection/forwarding-exchange.ts', 'request', ...LEAVES],
  filters: [
    'request',
    'flow-control/index.ts',
    'connection/exchange.ts',
    'connection/forwarding-exchange.ts',
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
    'kubelets/node-access.ts',
    'patch',
    'openapi',
    ...LEAVES,
  ],
  operations: ['request', 'kinds', 'resources', 'cache', 'storage', 'apply', ...LEAVES],
  kinds: [
    'pki/certificate-request.ts',
    'pki/der.ts',
    'pki/pem.ts',
    'request',
    'openapi/custom-kind.ts',
    'cel',
    ...LEAVES,
  ],
  resources: ['kinds', 'cache', 'storage', 'patch', 'apply', ...LEAVES],
  allocation: ['kinds', 'resources', 'storage', ...LEAVES],
  // Controllers may read what they are permitted to list and watch.
  reader: ['authorization/forbidden.ts', 'cache', 'resources', 'request', 'storage', ...LEAVES],
  cache: ['collections', 'steps', 'storage', 'status', 'time/clock.ts', 'time/event-loop.ts'],
  // The messages of etcd are protobuf.
  storage: [
    'observability',
    'errors',
    'grpc',
    'files/directory-entries.ts',
    'files/make-directory.ts',
    'steps/steps.ts',
    'time',
    'codec/protobuf-reader.ts',
    'codec/protobuf-writer.ts',
    // Keys of encryption at rest: a bounded cache, and names in what a key service answers.
    'collections',
    'model/name-syntax.ts',
  ],
  audit: ['request', 'connection/exchange.ts', ...LEAVES],
  authentication: ['request', 'cel', 'outbound', 'pki', ...LEAVES],
  authorization: ['request', 'cel', 'outbound', ...LEAVES],
  quota: [...LEAVES],
  admission: ['request', 'quota', 'pki/der.ts', 'pki/pem.ts', 'cel', 'outbound', 'patch', ...LEAVES],
  // What controllers are made of.
  reconcile: ['reader/object-source.ts', 'request/user.ts', ...LEAVES],
  workloads: ['reconcile', 'reader/object-source.ts', ...LEAVES],
  controllers: [
    'reconcile',
    // The table of controllers has those of workloads.
    'workloads',
    'reader/object-source.ts',
    'request',
    'scheduler/controller.ts',
    'scheduler/executor/settings.ts',
    'quota',
    'pki/pem.ts',
    'pki/requested-certificate.ts',
    ...LEAVES,
  ],
  scheduler: ['reconcile', 'reader/object-source.ts', 'cel', ...LEAVES],
  errors: [],
  'start-contract': ['errors', 'files'],
  files: ['errors', 'time/clock.ts'],
  kubeconfig: [
    'errors',
    'files',
    'outbound/endpoint.ts',
    'pki/issue-certificate.ts',
    'codec',
    'model/json-object.ts',
  ],
  pki: ['addresses', 'collections/once.ts', 'errors', 'files', 'observability'],
  // Simulated nodes are clients of the server.
  nodes: ['reader/object-source.ts', 'reconcile', 'request', 'streaming', ...LEAVES],
  // The settings of admission plugins are read from documents.
  options: ['admission/plugin-configuration.ts', 'files', 'nodes/settings.ts', ...LEAVES],
  listers: [
    'reader',
    'kinds',
    'resources',
    'cache',
    'storage',
    'admission/listers.ts',
    'admission/policy/objects.ts',
    'authentication/service-account/index.ts',
    'authorization/role-source.ts',
    'authorization/node/relations.ts',
    'reconcile/client.ts',
    'reconcile/presence.ts',
    'controllers/garbage-collector/objects.ts',
    'controllers/namespace/content.ts',
    'controllers/resource-quota/counted-objects.ts',
    'quota/counted.ts',
    'flow-control/index.ts',
    'outbound/service-resolver.ts',
    ...LEAVES,
  ],
  // The control loops of the API server for definitions share the work queue of the controllers.
  extensions: [
    'bootstrap/api-services.ts',
    'reconcile',
    // The kinds of extension servers, for controllers: the interface that it implements.
    'controllers/remote-kinds.ts',
    'proxy',
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
  replicas: [
    'controllers/manager.ts',
    'reconcile',
    'allocation',
    'bootstrap/cluster-service.ts',
    'bootstrap/identity-lease.ts',
    'bootstrap/index.ts',
    'resources',
    'storage',
    ...LEAVES,
  ],
  bootstrap: [
    // Bootstrap roles are reconciled with the authorizer's rule for covered permissions.
    'authorization/rule-coverage.ts',
    'controllers/authentication-map.ts',
    'operations/ownership.ts',
    'kinds',
    'resources',
    'cache',
    'storage',
    ...LEAVES,
  ],
  composition: ['*'],
  cli: ['*'],
  executable: ['*'],
  'server.ts': ['*'],
  testing: ['*'],
  'index.ts': ['*'],
  'main.ts': ['*'],
};

/**
 * What each part does, in one line, by the group in which `docs/map.md` lists it (scripts/generate-map.mjs). A line
 * has no `|` and at most 160 characters.
 */
export const DESCRIPTIONS = {
  'The path of a request, in order': {
    connection:
      'listener, TLS, HTTP/1.1 and HTTP/2 connections; one `Exchange` for both protocols; back-pressure',
    http2: 'the server side of HTTP/2: frames, header compression, streams, order of writes',
    filters:
      'what happens to every request before its handler: errors, deadline, authentication, audit, priority, authorization',
    handlers:
      'router, verbs, subresources and fixed paths: reads bodies, calls operations, writes responses, lists and watches',
    operations:
      'create, update and delete in named stages, once for all kinds; ownership, compare and swap, the writer queue',
    kinds:
      'what a built-in kind is, as data and rules: names, defaults, validation, update rules, table columns; no state',
    resources:
      'what serves a kind at run time: its codec, cache, versions and conversions, built-in or custom',
    cache:
      'the records of one resource in memory: reflector, snapshots, freshness, fan-out of events, cached encodings',
    storage:
      'the `Storage` interface and its implementations: embedded, in memory, etcd; encryption, watch hub, transfer',
  },
  'What decides about a request': {
    request:
      'the interfaces between parts: request context, user, attributes, authenticator, authorizer, admission plugin, audit',
    authentication:
      'certificates, tokens, OpenID Connect, service accounts, request headers, webhooks: who sends a request',
    authorization: 'RBAC, Node, ABAC and webhook authorizers, access reviews, escalation checks',
    admission: 'the admission chain and its plugins, webhooks, policies, pod security',
    audit: 'audit policy, events and their backends',
    'flow-control': 'priority and fairness: when a request begins, and how many seats it takes',
    faults:
      'faults that rules let happen to requests, for tests: refusals, delays, cut connections, watches that end',
    quota: 'usage of resource quotas, for admission and for the controller that releases it',
  },
  'What else a cluster consists of': {
    allocation: 'the running allocator of cluster addresses and node ports, with its own keys in the store',
    bootstrap:
      'the objects that every cluster has from its start: namespaces, roles, priority levels, the `kubernetes` Service',
    controllers:
      'control loops in the server: garbage collection, namespaces, quota, tokens, certificates, volumes',
    extensions: 'custom resources, their conversion webhooks, and extension servers behind APIServices',
    workloads:
      'controllers of ReplicaSets, ReplicationControllers, nodes and what runs on them: pure functions and thin executors',
    reconcile:
      'what controllers are made of: their client, work queue, interface, users, events; what several of them need',
    kubelets:
      'requests to kubelets and to the addresses of pods: logs, remote commands, port-forwards, proxies of objects',
    nodes: 'simulated nodes: kubelets that keep Leases and statuses and run Pods without containers',
    listers:
      'typed read-only views over caches, for authorizers, admission, quota and controllers, whose interfaces they implement',
    reader:
      "the objects of a resource for the server's own parts: its cache's records, decoded once, shared and frozen",
    scheduler:
      'the scheduler: the state of nodes and pods, rules, scores, preemption, the queue of pods that wait',
    replicas:
      'loops by which a server appears in its cluster and agrees with others on the same store: leases, leadership',
  },
  'Data and its forms': {
    model: 'types, releases and feature gates of Kubernetes; objects, selectors, quantities, times',
    schema: 'the descriptions of messages that codecs read, and structural schemas of custom resources',
    codec:
      'JSON, YAML, CBOR and protobuf: parsers and writers with bounds, strict decoding, at once or in steps',
    patch: 'JSON patch, merge patch and strategic merge patch',
    apply: 'field ownership: field sets, managers, comparison, server-side apply and its conflicts',
    cel: 'CEL: parser, checker, planner, libraries and costs; also the entry `binnacle/cel`',
    openapi: 'OpenAPI v2 and v3 documents, as JSON and protobuf, and the texts of `kubectl explain`',
    status: 'errors of the API (`Status`) and of fields',
  },
  'Libraries for all': {
    addresses: 'IP addresses, ranges and URLs, with the syntax of Go',
    collections: 'bounded maps, caches with times to live, linked lists',
    errors: 'errors of the program, quoted and shortened for messages; those of the API are in `status`',
    observability: 'logs, metrics, spans in memory',
    steps:
      'long work that pauses: `Steps`, their runners and sizes, replayed validation, turns of the event loop',
    time: 'the clocks of the cluster and of the process, timers, durations, calendar',
  },
  'The process and its surroundings': {
    files: 'files, directories and changes of them; the data directory',
    grpc: 'a gRPC client for etcd, key services and collectors of spans',
    kubeconfig: 'kubeconfig files: connections to other servers, and the one written for clients',
    options: 'flags, feature gates, configuration documents: parsing, defaults, validation',
    outbound: 'requests to webhooks, token issuers and extension servers: connections, proxies, retries',
    pki: 'certificates, keys, certificate requests and CA bundles',
    profiling: 'profiles of the process',
    proxy:
      'requests that are passed on to other servers: headers, bodies, responses, connections that change protocol',
    streaming:
      'SPDY/3.1, WebSockets with channels, and the streams of remote commands; connections inside the process',
    'start-contract': 'what a program learns that starts a server: the ready line and its file',
    tracing: 'export of spans to a collector: sampling, encoding, transport',
  },
  'What connects all parts': {
    composition:
      'creates and connects the parts; phases of the start in `start/`, one cluster in `cluster.ts`, further ones in `clusters/`',
    'server.ts': '`startServer` and `startClusterAt`: run the phases of the start, and stop',
    'index.ts': 'the library `binnacle`',
    testing: 'the library `binnacle/testing`: clusters for tests',
    'main.ts': 'the command `binnacle`',
    cli: 'the command line: start, help, and the commands for operators',
    executable:
      'the command as one bundle: its loaders with compiled code, as an executable and for Node.js, and the library of the store',
  },
};

/** Parts that only the composition imports. */
export const WIRING = new Set([
  'composition',
  'cli',
  'server.ts',
  'testing',
  'index.ts',
  'main.ts',
  'executable',
]);
