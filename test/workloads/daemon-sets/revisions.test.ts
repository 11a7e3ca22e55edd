import { describe, expect, it } from 'vitest';
import type { ControllerRevision, DaemonSet } from '../../../src/model/generated/apps-v1.ts';
import type { Resource } from '../../../src/reconcile/client.ts';
import { ApiError } from '../../../src/status/index.ts';
import { writeCurrentRevision } from '../../../src/workloads/daemon-sets/revision-control.ts';
import { divide, expiredRevisions } from '../../../src/workloads/daemon-sets/revisions.ts';
import { recordOf } from '../../../src/workloads/revisions/recorded-template.ts';
import { daemon, daemonSet, template } from './objects.ts';

const revision = (name: string, number: number, image = name): ControllerRevision => ({
  metadata: { namespace: 'ns', name, uid: name, labels: { 'controller-revision-hash': name } },
  data: JSON.parse(JSON.stringify(recordOf(template(image)))),
  revision: number,
});

/** A client that notes what it is asked for. @param holder the object that has the name of each new revision */
function recorder(holder?: ControllerRevision) {
  const calls: string[] = [];
  const answer = async (verb: string, { resource }: Resource, object: ControllerRevision) => {
    calls.push(`${verb} ${resource} ${object.metadata!.name} ${object.revision ?? ''}`.trim());
    return object;
  };
  return {
    calls,
    async create(resource: Resource, object: ControllerRevision) {
      if (holder !== undefined) throw new ApiError(409, 'AlreadyExists', 'exists', undefined);
      return answer('create', resource, object);
    },
    get: async () => holder,
    update: (resource: Resource, object: DaemonSet & ControllerRevision) =>
      answer('update', resource, object),
    patch: (resource: Resource, _: string, name: string) => answer('patch', resource, { metadata: { name } }),
    async delete(resource: Resource, _: string, name: string) {
      await answer('delete', resource, { metadata: { name } });
    },
  };
}

describe('the revisions of a DaemonSet', () => {
  it('are created for a new template, with the next number', async () => {
    const client = recorder();
    const hash = await writeCurrentRevision(
      client,
      daemonSet(),
      divide(daemonSet(), [revision('v0', 4)]),
      [],
    );
    expect(client.calls).toEqual([`create controllerrevisions agent-${hash} 5`]);
  });

  it('of an earlier template get the highest number when it comes back', async () => {
    const client = recorder();
    const history = [revision('v1', 1), revision('v2', 2)];
    expect(await writeCurrentRevision(client, daemonSet(), divide(daemonSet(), history), [])).toBe('v1');
    expect(client.calls).toEqual(['update controllerrevisions v1 3']);
  });

  it('of one content are merged into the latest, with their Pods', async () => {
    const client = recorder();
    const history = [revision('one', 1, 'v1'), revision('two', 2, 'v1')];
    const pods = [daemon('p', 'a', { hash: 'one' }), daemon('q', 'b', { hash: 'two' })];
    expect(await writeCurrentRevision(client, daemonSet(), divide(daemonSet(), history), pods)).toBe('two');
    expect(client.calls).toEqual(['patch pods p', 'delete controllerrevisions one']);
  });

  it('take another name after a collision, which the status counts', async () => {
    const client = recorder(revision('other', 1));
    expect(await writeCurrentRevision(client, daemonSet(), divide(daemonSet(), []), [])).toBeUndefined();
    expect(client.calls).toEqual(['update daemonsets agent']);
    const named = async (collisionCount: number) => {
      const set = daemonSet({}, { status: { collisionCount } as DaemonSet['status'] & object });
      return writeCurrentRevision(recorder(), set, divide(set, []), []);
    };
    expect(await named(1)).not.toBe(await named(2));
  });

  it('expire beyond the limit, the oldest first, but not those of Pods', () => {
    const history = ['a', 'b', 'c', 'v1'].map((name, index) => revision(name, index + 1));
    const expired = (revisionHistoryLimit: number): (string | undefined)[] => {
      const set = daemonSet({ revisionHistoryLimit });
      const pods = [daemon('p', 'n', { hash: 'a' })];
      return expiredRevisions(set, divide(set, history), pods).map(({ metadata }) => metadata!.name);
    };
    expect([expired(0), expired(2), expired(3)]).toEqual([['b', 'c'], ['b'], []]);
  });
});
