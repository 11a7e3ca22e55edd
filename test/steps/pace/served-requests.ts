import { type RunningServer, startClusterAt } from '../../../src/server.ts';
import { type InProcessFetch, inProcessFetch, type RequestOptions } from '../../../src/testing/fetch.ts';
import { AdjustableClock } from '../../../src/time/adjustable-clock.ts';
import { processClock } from '../../../src/time/clock.ts';
import { WebhookServer } from '../../support/webhook-server.ts';
import {
  configMaps,
  customObjects,
  definitionsWith,
  deployments,
  GROUPS,
  PARAMETERS,
  POLICIES,
  VALIDATING_POLICY,
} from './served-objects.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const widgets = (group: string, version: string): string =>
  `/apis/${group}/${version}/namespaces/default/widgets`;

const JSON_TYPE = 'application/json';
const YAML = 'application/yaml';
const CBOR = 'application/cbor';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const METADATA = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const FIRST_EVENTS =
  'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

/** The functions that the requests run, but whose calls are not seen: they return the steps of others. */
export const SERVED_FUNCTIONS: readonly string[] = [
  'admission/policy/evaluate.ts matchPolicy',
  'admission/policy/mutating/mutate-request.ts compile',
  'admission/policy/validate-request.ts compile',
  'handlers/response/views.ts prepared',
  'operations/scale-ownership.ts ownersOfScaleInSteps',
  'operations/scale-ownership.ts ownersOfScaledInSteps',
];

interface Sent extends Omit<RequestOptions, 'method'> {
  /** The text in the answer of a watch after which the rest is not read. */
  readonly until?: string;
}

/** Sends a request. What is compared of its answer is kept. */
type Send = (method: string, target: string, request?: Sent) => Promise<void>;

/**
 * Starts a server and sends it the same requests each time: writes of built-in and custom kinds below policies, reads
 * in all encodings and forms, and watches.
 * @returns the answers, without what differs by chance
 */
export async function servedAnswers(): Promise<readonly string[]> {
  const converter = await new WebhookServer(({ body }) => answerConversion(body as never)).start();
  const server = await startFrozen();
  const [, certificate] = /client-certificate-data: (\S+)/.exec(server.kubeconfig)!;
  const fetch = inProcessFetch(server.handle, Buffer.from(certificate!, 'base64').toString());
  const answers: string[] = [];
  const send: Send = async (method, target, { until, ...request } = {}) => {
    const answer = await fetch(target, { ...request, method });
    const content = comparable(await contentOf(answer, until));
    const sent = [method, target, JSON.stringify(request.headers), JSON.stringify(request.body)];
    answers.push(`${sent.join(' ')}\n${answer.status} ${answer.headers.get('warning')} ${content}`);
  };
  try {
    await create(fetch, ...PARAMETERS);
    for (const body of definitionsWith(converter)) await create(fetch, DEFINITIONS, body);
    for (const [target, body] of POLICIES) await create(fetch, target, body);
    await inForce(fetch);
    for (const body of configMaps) await send('POST', CONFIG_MAPS, { body });
    for (const body of deployments) await send('POST', DEPLOYMENTS, { body });
    await changeDeployment(send);
    for (const group of GROUPS) await changeWidgets(send, group);
    for (const path of [CONFIG_MAPS, DEPLOYMENTS]) await read(send, path, [JSON_TYPE, YAML, CBOR, PROTOBUF]);
    for (const group of GROUPS)
      for (const version of ['v1', 'v2']) await read(send, widgets(group, version), [JSON_TYPE, YAML, CBOR]);
    return answers;
  } finally {
    await server.stop();
    await converter.stop();
  }
}

/** Creates what the requests need. */
async function create(fetch: InProcessFetch, target: string, body: object): Promise<void> {
  const answer = await fetch(target, { method: 'POST', body });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Starts a server whose time stands still, with all that is needed below. */
async function startFrozen(): Promise<RunningServer> {
  const clock = new AdjustableClock(processClock);
  clock.freeze();
  await clock.set(Date.parse('2026-01-01T00:00:00Z'));
  return startClusterAt(
    clock,
    {
      storageBackend: 'memory',
      securePort: 0,
      controllers: ['validatingadmissionpolicy-status-controller'],
      featureGates: ['MutatingAdmissionPolicy=true', 'CBORServingAndStorage=true'],
      runtimeConfig: ['admissionregistration.k8s.io/v1alpha1=true'],
    },
    { log: () => undefined },
  );
}

interface ConversionReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly object[];
  };
}

/** A converter that changes the version only. */
function answerConversion({ apiVersion, kind, request }: ConversionReview): object {
  const { uid, desiredAPIVersion, objects } = request;
  const convertedObjects = objects.map((object) => ({ ...object, apiVersion: desiredAPIVersion }));
  return { apiVersion, kind, response: { uid, convertedObjects, result: { status: 'Success' } } };
}

/** Requests without a write between them, after which no controller writes more. */
const QUIET_REQUESTS = 50;

/** Waits until the policies and definitions have effect and no controller has more to write. */
async function inForce(fetch: InProcessFetch): Promise<void> {
  let revision: unknown;
  for (let quiet = 0; quiet < QUIET_REQUESTS; ) {
    const list = (await (await fetch(CONFIG_MAPS)).json()) as { metadata: { resourceVersion: string } };
    quiet = list.metadata.resourceVersion === revision && (await hasEffect(fetch)) ? quiet + 1 : 0;
    revision = list.metadata.resourceVersion;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function hasEffect(fetch: InProcessFetch): Promise<boolean> {
  const body = { metadata: { name: 'wait' } };
  const answer = await fetch(`${CONFIG_MAPS}?dryRun=All`, { method: 'POST', body });
  const isMutated = (await answer.text()).includes('mutated');
  const isChecked = answer.headers.get('warning')?.includes('checked wait parameter') === true;
  const policy = await (await fetch(VALIDATING_POLICY)).text();
  const lists = await Promise.all(GROUPS.map((group) => fetch(widgets(group, 'v2'))));
  return isMutated && isChecked && policy.includes('typeChecking') && lists.every(({ ok }) => ok);
}

const MERGE = { 'content-type': 'application/merge-patch+json' };
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
const STRATEGIC = { 'content-type': 'application/strategic-merge-patch+json' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

async function changeDeployment(send: Send): Promise<void> {
  const path = `${DEPLOYMENTS}/a`;
  const containers = [
    { name: 'b', env: [{ name: 'B', $patch: 'delete' }] },
    { name: 'd', image: 'd' },
  ];
  const order = { '$setElementOrder/containers': ['d', 'b', 'a', 'c'].map((name) => ({ name })) };
  for (const spec of [
    { containers },
    { ...order, containers },
    { ...order, containers: containers.toReversed() },
  ])
    await send('PATCH', path, { headers: STRATEGIC, body: { spec: { template: { spec } } } });
  await send('PATCH', path, { headers: STRATEGIC, body: { spec: { replicas: 'x' } } });
  for (const finalizers of [['a.example.com/b'], ['a.example.com/b', 'a.example.com/c']])
    await send('PATCH', path, { headers: STRATEGIC, body: { metadata: { finalizers } } });
  const add = { op: 'add', path: '/spec/template/spec/containers/-', value: { name: 'e', image: 'e' } };
  await send('PATCH', path, { headers: JSON_PATCH, body: [add, { ...add, more: 1 }] });
  await send('PATCH', path, { headers: MERGE, body: { metadata: { labels: { a: null, b: 'b' } } } });
  await changeScale(send, path);
  for (const force of [false, true]) {
    const body = { ...deployments[0], metadata: { name: 'a', annotations: { applied: 'yes' } } };
    await send('PATCH', `${path}?fieldManager=other&force=${force}`, { headers: APPLY, body });
  }
}

async function changeScale(send: Send, path: string): Promise<void> {
  await send('GET', `${path}/scale`);
  await send('PATCH', `${path}/scale`, { headers: MERGE, body: { spec: { replicas: 4 } } });
  const apply = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'a' },
    spec: { replicas: 5 },
  };
  await send('PATCH', `${path}/scale?fieldManager=me&force=true`, { headers: APPLY, body: apply });
}

async function changeWidgets(send: Send, group: string): Promise<void> {
  for (const [version, other] of [
    ['v1', 'v2'],
    ['v2', 'v1'],
  ] as const) {
    const path = widgets(group, version);
    const typed = (object: object): object => ({ ...object, apiVersion: `${group}/${version}` });
    for (const object of customObjects) await send('POST', path, { body: typed(object) });
    await send('PATCH', `${path}/a`, { headers: MERGE, body: { spec: { tags: ['c'], free: { more: [] } } } });
    await send('PATCH', `${path}/a/status`, {
      headers: MERGE,
      body: { status: { phase: 'x', replicas: 1 } },
    });
    await send('PATCH', `${path}/a/status`, { headers: MERGE, body: { status: { phase: 1 } } });
    for (const force of [false, true]) {
      const body = typed({ kind: 'Widget', metadata: { name: 'a' }, spec: { sizes: [4], tags: ['d'] } });
      await send('PATCH', `${path}/a?fieldManager=other&force=${force}`, { headers: APPLY, body });
    }
    await changeScale(send, `${widgets(group, other)}/a`);
  }
}

/** Reads an object and its list in encodings, as a table and as metadata. */
async function read(send: Send, path: string, encodings: readonly string[]): Promise<void> {
  for (const accept of encodings) {
    const headers = { accept };
    await send('GET', `${path}/a`, { headers });
    await send('GET', path, { headers });
    await send('GET', `${path}?limit=1`, { headers });
    if (accept === YAML) continue;
    await send('GET', `${path}?${FIRST_EVENTS}`, { headers, until: 'initial-events-end' });
  }
  await send('GET', `${path}/a`, { headers: { accept: METADATA } });
  await send('GET', path, { headers: { accept: METADATA_LIST } });
  const headers = { accept: TABLE };
  await send('GET', path, { headers });
  await send('GET', `${path}?includeObject=Object`, { headers });
  await send('GET', `${path}?watch=1&resourceVersion=0`, { headers, until: '"name":"a"' });
}

/** The bytes of an answer as Latin-1, up to the part that has a text. */
async function contentOf(answer: Response, until: string | undefined): Promise<string> {
  let content = '';
  for await (const chunk of answer.body!) {
    content += Buffer.from(chunk as Uint8Array).toString('latin1');
    if (until !== undefined && content.includes(until)) break;
  }
  return content;
}

/** Replaces random identifiers. */
const comparable = (content: string): string =>
  content.replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'a UUID');
