import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestCluster } from '../../../src/testing/index.ts';
import { authority } from '../../outbound/servers.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';

/** The path of the configurations of a type. */
export const configurations = (type: 'Mutating' | 'Validating'): string =>
  `${GROUP}/${type.toLowerCase()}webhookconfigurations`;

/** A webhook at a port of 127.0.0.1 for config maps. */
export const webhook = (port: number, changes: object = {}) => ({
  name: 'hook.example.test',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  timeoutSeconds: 5,
  clientConfig: {
    url: `https://127.0.0.1:${port}/hook`,
    caBundle: Buffer.from(authority.certificate).toString('base64'),
  },
  rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
  ...changes,
});

/** Stores a configuration with these webhooks. */
export async function configure(
  cluster: TestCluster,
  type: 'Mutating' | 'Validating',
  name: string,
  ...webhooks: object[]
): Promise<void> {
  const response = await cluster.fetch(configurations(type), {
    method: 'POST',
    body: { metadata: { name }, webhooks },
  });
  if (response.status !== 201) throw new Error(await response.text());
}

/** The request of an AdmissionReview. */
export interface Asked {
  readonly uid: string;
  readonly operation: string;
  // biome-ignore lint/suspicious/noExplicitAny: any object
  readonly object: any;
  readonly [member: string]: unknown;
}

/** Reads a review and answers it with these members of the response, besides its uid. */
export async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  respond: (asked: Asked) => object,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const review = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  const response = { uid: review.request.uid, allowed: true, ...respond(review.request) };
  outgoing.setHeader('content-type', 'application/json');
  outgoing.end(JSON.stringify({ apiVersion: review.apiVersion, kind: review.kind, response }));
}

/** The members of a response with a JSON Patch. */
export const patching = (...operations: unknown[]) => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

/** Creates a config map. */
export const create = (cluster: TestCluster, name: string, query = '') =>
  cluster.fetch(`/api/v1/namespaces/default/configmaps${query}`, {
    method: 'POST',
    body: { metadata: { name, labels: { made: 'by-test' } }, data: { a: '1' } },
  });

/** The status code and message of a response. */
export const outcome = async (response: Promise<Response>): Promise<[number, string]> => {
  const { status, body } = await response.then(async (got) => ({
    status: got.status,
    body: (await got.json()) as { message?: string },
  }));
  return [status, body.message ?? ''];
};
