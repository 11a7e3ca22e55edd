import { describe, expect, it } from 'vitest';
import { deletionConditions } from '../../../src/controllers/namespace/conditions.ts';
import { deleteContent, type NamespaceContent } from '../../../src/controllers/namespace/content.ts';
import type { ObjectMeta } from '../../../src/model/object.ts';
import { Client, type ControllerRequest, type Resource } from '../../../src/reconcile/client.ts';

const PODS: Resource = { group: '', version: 'v1', resource: 'pods', kind: 'Pod' };
const SECRETS: Resource = { group: '', version: 'v1', resource: 'secrets', kind: 'Secret' };
const JOBS: Resource = { group: 'batch', version: 'v1', resource: 'jobs', kind: 'Job' };

/** Responds to requests and records them. */
function createClient(answer: (request: ControllerRequest) => { status: number; body: object }) {
  const requests: ControllerRequest[] = [];
  const client = new Client(async (request) => {
    requests.push(request);
    const { status, body } = answer(request);
    return {
      status,
      body: (async function* () {
        yield Buffer.from(JSON.stringify(body));
      })(),
    };
  }, 'test/1');
  return { client, requests };
}

/** Finds the given resources, one list after the other, with these objects. */
const contentOf = (
  lists: readonly (readonly Resource[])[],
  metadata: Readonly<Record<string, readonly ObjectMeta[]>> = {},
): NamespaceContent => {
  const left = [...lists];
  return {
    find: async () => left.shift()!,
    async *metadata({ resource }) {
      yield* metadata[resource] ?? [];
    },
  };
};
const refused = (message: string) => ({
  status: 500,
  body: { kind: 'Status', code: 500, reason: 'InternalError', message },
});
const done = { status: 200, body: { kind: 'Status' } };

describe('the content of a namespace', () => {
  it('is deleted in the background, pods last without grace period', async () => {
    const { client, requests } = createClient(() => done);
    const emptying = await deleteContent(client, 'n', contentOf([[PODS, SECRETS, JOBS], []]));
    expect(requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
      'DELETE /api/v1/namespaces/n/secrets',
      'DELETE /apis/batch/v1/namespaces/n/jobs',
      'DELETE /api/v1/namespaces/n/pods',
    ]);
    expect(requests.map(({ body }) => JSON.parse(body!))).toEqual([
      { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' },
      { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' },
      { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background', gracePeriodSeconds: 0 },
    ]);
    expect(emptying).toMatchObject({ remaining: new Map(), finalizers: new Map(), failures: [] });
    expect(deletionConditions(emptying).map(({ status }) => status)).toEqual([
      'False',
      'False',
      'False',
      'False',
      'False',
    ]);
  });

  it('is reported by kind and finalizer, with errors of deletions', async () => {
    const { client } = createClient(({ target }) =>
      target.endsWith('/secrets') ? refused('secrets cannot be deleted') : done,
    );
    const found = [SECRETS, JOBS, PODS];
    const held = [{ finalizers: ['x.test/b', 'x.test/a'] }, { finalizers: ['x.test/a'] }];
    const emptying = await deleteContent(
      client,
      'n',
      contentOf([found, found], { jobs: held, pods: [{}], secrets: [{}] }),
    );
    expect(deletionConditions(emptying)).toMatchObject([
      { type: 'NamespaceDeletionDiscoveryFailure', status: 'False', reason: 'ResourcesDiscovered' },
      { type: 'NamespaceDeletionGroupVersionParsingFailure', status: 'False', reason: 'ParsedGroupVersions' },
      {
        type: 'NamespaceDeletionContentFailure',
        status: 'True',
        reason: 'ContentDeletionFailed',
        message: 'Failed to delete all resource types, 1 remaining: secrets cannot be deleted',
      },
      {
        type: 'NamespaceContentRemaining',
        status: 'True',
        reason: 'SomeResourcesRemain',
        message:
          'Some resources are remaining: jobs.batch has 2 resource instances, pods. has 1 resource instances',
      },
      {
        type: 'NamespaceFinalizersRemaining',
        status: 'True',
        reason: 'SomeFinalizersRemain',
        message:
          'Some content in the namespace has finalizers remaining: x.test/a in 2 resource instances, x.test/b in 1 resource instances',
      },
    ]);
  });

  it('does not include kinds that are no longer served', async () => {
    const client = new Client(
      async () => ({
        status: 404,
        body: (async function* () {
          yield Buffer.from('404 page not found');
        })(),
      }),
      'test/1',
    );
    const emptying = await deleteContent(client, 'n', contentOf([[JOBS], []]));
    expect(emptying).toMatchObject({ remaining: new Map(), finalizers: new Map(), failures: [] });
  });

  it('is not considered deleted after a lost response', async () => {
    const lost = new Client(
      () => Promise.reject(new Error('the exchange ended without an answer')),
      'test/1',
    );
    await expect(deleteContent(lost, 'n', contentOf([[SECRETS]]))).rejects.toThrow('without an answer');
  });
});
