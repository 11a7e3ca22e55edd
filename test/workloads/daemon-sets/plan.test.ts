import { describe, expect, it } from 'vitest';
import type { Taint } from '../../../src/model/generated/core-v1.ts';
import { FailedPods } from '../../../src/workloads/daemon-sets/failed-pods.ts';
import { plan } from '../../../src/workloads/daemon-sets/plan.ts';
import { daemonStatus } from '../../../src/workloads/daemon-sets/status.ts';
import { daemon, daemonSet, observed, place, rolling } from './objects.ts';

const taint = (effect: string, key = 'k'): Taint => ({ key, effect });

/** The nodes that get Pods, and the names of Pods that are deleted. */
const planned = (...parameters: Parameters<typeof observed>) => {
  const { create, delete: deleted } = plan(observed(...parameters));
  return [[...create], deleted.map(({ metadata }) => metadata!.name)];
};

const NODES = ['a', 'b', 'c'].map((name) => place(name));
const NOTHING = [[], []];

describe('the Pods of a DaemonSet', () => {
  it('are on every node that matches, one on each', () => {
    expect(planned(daemonSet(), NODES, [daemon('p', 'b')])).toEqual([['a', 'c'], []]);
    expect(planned(daemonSet(), NODES.slice(0, 1), [daemon('p', 'a', { age: 9 }), daemon('q', 'a')])).toEqual(
      [[], ['q']],
    );
    const bound = [daemon('p', 'a', { age: 9, unbound: true }), daemon('q', 'a')];
    expect(planned(daemonSet(), NODES.slice(0, 1), bound)).toEqual([[], ['p']]);
    const chosen = daemonSet({ template: { spec: { nodeSelector: { disk: 'ssd' } } } });
    expect(planned(chosen, [place('a', [], { disk: 'ssd' }), place('b')], [daemon('p', 'b')])).toEqual([
      ['a'],
      ['p'],
    ]);
  });

  it('stay on a node with a taint NoSchedule, leave one with NoExecute, and come to neither', () => {
    const nodes = [place('a', [taint('NoSchedule')]), place('b', [taint('NoExecute')])];
    expect(planned(daemonSet(), nodes, [])).toEqual(NOTHING);
    expect(planned(daemonSet(), nodes, [daemon('p', 'a'), daemon('q', 'b')])).toEqual([[], ['q']]);
    const { numberMisscheduled } = daemonStatus(
      observed(daemonSet(), nodes, [daemon('p', 'a'), daemon('q', 'b')]),
    );
    expect(numberMisscheduled).toBe(2);
  });

  it.each(['not-ready', 'unreachable'])('stay on nodes that are %s', (key) => {
    const tainted = [taint('NoExecute', `node.kubernetes.io/${key}`)];
    expect(planned(daemonSet(), [place('a', tainted)], [])).toEqual([['a'], []]);
  });

  it('need a tolerance for nodes without network, unless they use that of the node', () => {
    const nodes = [place('a', [taint('NoSchedule', 'node.kubernetes.io/network-unavailable')])];
    expect(planned(daemonSet(), nodes, [])).toEqual(NOTHING);
    const onHost = daemonSet({ template: { spec: { hostNetwork: true } } });
    expect(planned(onHost, nodes, [])).toEqual([['a'], []]);
  });

  it('that wait for a node which is gone are deleted', () => {
    const pods = [daemon('p', 'gone', { unbound: true }), daemon('q', 'gone')];
    expect(planned(daemonSet(), [], pods)).toEqual([[], ['p']]);
  });

  it('that have ended are deleted and reported; their places are taken when they are gone', () => {
    const {
      reports,
      delete: deleted,
      create,
    } = plan(
      observed(daemonSet(), NODES.slice(0, 2), [
        daemon('p', 'a', { phase: 'Failed' }),
        daemon('q', 'b', { phase: 'Succeeded' }),
      ]),
    );
    expect([deleted.length, create]).toEqual([2, []]);
    expect(reports.map(({ type, reason, message }) => `${type} ${reason} ${message}`)).toEqual([
      'Warning FailedDaemonPod Found failed daemon pod ns/p on node a, will try to kill it',
      'Normal SucceededDaemonPod Found succeeded daemon pod ns/q on node b, will try to delete it',
    ]);
  });

  it('that fail again are kept for a while', () => {
    const failed = [daemon('p', 'a', { phase: 'Failed' })];
    const { delete: deleted, again } = plan(observed(daemonSet(), NODES.slice(0, 1), failed, () => 700));
    expect([deleted, again]).toEqual([[], 700]);
  });
});

describe('failed Pods of a node', () => {
  it('wait a second after the first one, twice as long after each further one, and start anew after a long time', () => {
    let now = 0;
    const failed = new FailedPods(() => now);
    expect(failed.untilReplaced('a')).toBe(0);
    const waits = Array.from({ length: 12 }, () => {
      failed.replaced('a');
      const wait = failed.untilReplaced('a');
      now += wait;
      expect(failed.untilReplaced('a')).toBe(0);
      return wait / 1000;
    });
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    expect(failed.untilReplaced('b')).toBe(0);
    now += 1_000_000;
    failed.replaced('a');
    expect(failed.untilReplaced('a')).toBe(1000);
  });
});

describe('a rolling update', () => {
  const old = (node: string, ready = true) => daemon(`old-${node}`, node, { hash: 'v0', ready });

  it('deletes old Pods that are not available at once, and others as many as may be unavailable', () => {
    expect(planned(daemonSet(), NODES, [old('a'), old('b'), old('c')])).toEqual([[], ['old-a']]);
    expect(planned(daemonSet(), NODES, [old('a'), old('b', false), old('c')])).toEqual([[], ['old-b']]);
    expect(planned(daemonSet(rolling('50%', 0)), NODES, [old('a'), old('b'), old('c')])).toEqual([
      [],
      ['old-a', 'old-b'],
    ]);
    expect(planned(daemonSet(), NODES, [daemon('new', 'a', { ready: false }), old('b'), old('c')])).toEqual(
      NOTHING,
    );
  });

  it('with surge creates Pods beside old ones, which go when the new ones are available', () => {
    const surging = daemonSet(rolling(0, 1));
    expect(planned(surging, NODES, [old('a'), old('b'), old('c')])).toEqual([['a'], []]);
    const fresh = (ready: boolean) => [daemon('new', 'a', { ready }), old('a'), old('b'), old('c')];
    expect(planned(surging, NODES, fresh(false))).toEqual(NOTHING);
    expect(planned(surging, NODES, fresh(true))).toEqual([[], ['old-a']]);
    expect(planned(surging, NODES, [old('a', false), old('b', false), old('c')])).toEqual([
      ['a', 'b', 'c'],
      [],
    ]);
  });

  it('does not begin by itself with OnDelete', () => {
    const manual = daemonSet({ updateStrategy: { type: 'OnDelete' } });
    expect(
      planned(
        manual,
        NODES,
        NODES.map(({ name }) => old(name)),
      ),
    ).toEqual(NOTHING);
  });
});
