import { describe, expect, it } from 'vitest';
import type { ControllerRevision } from '../../../src/model/generated/apps-v1.ts';
import { ApiError } from '../../../src/status/index.ts';
import { recordOf, templateOf } from '../../../src/workloads/revisions/recorded-template.ts';
import {
  currentRevision,
  expiredRevisions,
  revisionStep,
  writeUpdateRevision,
} from '../../../src/workloads/stateful-sets/revisions.ts';
import { member, statefulSet, template } from './objects.ts';

const revision = (name: string, number: number, image = name): ControllerRevision => ({
  metadata: { namespace: 'ns', name, uid: name },
  data: JSON.parse(JSON.stringify(recordOf(template(image)))),
  revision: number,
});

describe('revisions of a set', () => {
  it('are created for a new template, kept for the latest one, and renumbered for an earlier one', () => {
    const history = [revision('v1', 1), revision('v2', 2)];
    expect(revisionStep(recordOf(template('v3')), history)).toEqual({ does: 'create', number: 3 });
    expect(revisionStep(recordOf(template('v2')), history)).toEqual({ does: 'keep', revision: history[1] });
    expect(revisionStep(recordOf(template('v1')), history)).toEqual({
      does: 'renumber',
      revision: history[0],
      number: 3,
    });
  });

  it('restore the template that they record', () => {
    expect(templateOf(revision('v1', 1))).toEqual(template('v1'));
    expect(templateOf({})).toBeUndefined();
  });

  it('take another name where an object of the first one records something else', async () => {
    const names: string[] = [];
    const client = {
      async create(_: unknown, object: ControllerRevision) {
        names.push(object.metadata!.name!);
        if (names.length === 1) throw new ApiError(409, 'AlreadyExists', 'exists', undefined);
        return object;
      },
      get: async () => revision('other', 1),
      update: async () => revision('none', 1),
    };
    const { revision: written, collisions } = await writeUpdateRevision(client, statefulSet(), []);
    expect([collisions, names.length, written.metadata!.name]).toEqual([1, 2, names[1]]);
    expect(names[0]).not.toBe(names[1]);
  });

  it('that the status names are the current one, if they exist', () => {
    const set = statefulSet({}, { status: { replicas: 3, currentRevision: 'v0' } });
    const update = { name: 'v1', template: template('v1') };
    expect(currentRevision(set, [revision('v0', 1)], update)).toEqual({
      name: 'v0',
      template: template('v0'),
    });
    expect(currentRevision(set, [], update)).toBe(update);
  });

  it('expire beyond the limit, the oldest first, but not those of Pods', () => {
    const set = statefulSet({ revisionHistoryLimit: 1 });
    const history = ['a', 'b', 'c', 'd', 'v1'].map((name, index) => revision(name, index + 1));
    const expired = (revisionHistoryLimit: number): (string | undefined)[] =>
      expiredRevisions(
        { ...set, spec: { ...set.spec, revisionHistoryLimit } },
        history,
        [member(set, 0, { revision: 'b' })],
        [{ name: 'v1', template: template('v1') }],
      ).map(({ metadata }) => metadata!.name);
    expect(expired(1)).toEqual(['a', 'c']);
    expect(expired(0)).toEqual(['a', 'c', 'd']);
    expect(expired(3)).toEqual([]);
  });
});
