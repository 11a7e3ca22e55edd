import { describe, expect, it } from 'vitest';
import { AgeCell } from '../../../src/kinds/table.ts';
import { tableOf } from '../../support/builtin-resources.ts';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const metadata = { name: 'p', creationTimestamp: '2026-01-01T00:00:00Z' };
const containers = [{ name: 'c' }, { name: 'd' }];

/** Returns the cells of a pod at {@link NOW}: ready, status, restarts. */
function cellsOf(pod: { spec?: object; status?: object; metadata?: object }): unknown[] {
  const cells = tableOf('', 'pods').cells({
    ...pod,
    spec: { containers, ...pod.spec },
    metadata: { ...metadata, ...pod.metadata },
  });
  return cells.slice(1, 4).map((cell) => (cell instanceof AgeCell ? cell.text(NOW) : cell));
}

const running = { running: {} };
const ended = (more: object) => ({ terminated: { exitCode: 0, ...more } });

describe('pod table', () => {
  it('displays the state of containers', () => {
    expect(cellsOf({ status: { phase: 'Pending' } })).toEqual(['0/2', 'Pending', '0']);
    expect(
      cellsOf({
        status: {
          phase: 'Pending',
          conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
        },
      }),
    ).toEqual(['0/2', 'SchedulingGated', '0']);
    expect(cellsOf({ status: { phase: 'Failed', reason: 'Evicted' } })).toEqual(['0/2', 'Evicted', '0']);
    const containerStatuses = [
      { name: 'c', ready: true, restartCount: 3, state: running },
      {
        name: 'd',
        ready: false,
        restartCount: 1,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: ended({ finishedAt: '2026-01-01T00:55:00Z' }),
      },
    ];
    expect(cellsOf({ status: { phase: 'Running', containerStatuses } })).toEqual([
      '1/2',
      'CrashLoopBackOff',
      '4 (5m ago)',
    ]);
  });

  it('displays how containers terminated', () => {
    const ends = (...states: object[]) =>
      cellsOf({
        status: {
          phase: 'Failed',
          containerStatuses: states.map((state, index) => ({
            name: containers[index]!.name,
            state,
            ready: state === running,
          })),
        },
      })[1];
    expect(ends(ended({ reason: 'Error' }))).toBe('Error');
    expect(ends(ended({ signal: 9 }))).toBe('Signal:9');
    expect(ends(ended({ exitCode: 2 }))).toBe('ExitCode:2');
    expect(ends(ended({ reason: 'Completed' }), running)).toBe('NotReady');
    const conditions = [{ type: 'Ready', status: 'True' }];
    const containerStatuses = [
      { name: 'c', state: ended({ reason: 'Completed' }) },
      { name: 'd', ready: true, state: running },
    ];
    expect(cellsOf({ status: { phase: 'Running', conditions, containerStatuses } })).toEqual([
      '1/2',
      'Running',
      '0',
    ]);
  });

  it('displays the blocking init container and counts sidecars', () => {
    const initContainers = [{ name: 'a', restartPolicy: 'Always' }, { name: 'b' }];
    const during = (...initContainerStatuses: object[]) =>
      cellsOf({ spec: { initContainers }, status: { phase: 'Pending', initContainerStatuses } });
    const sidecar = { name: 'a', started: true, ready: true, restartCount: 2, state: running };
    expect(during({ name: 'a', state: { waiting: { reason: 'ImagePullBackOff' } } })).toEqual([
      '0/3',
      'Init:ImagePullBackOff',
      '0',
    ]);
    expect(during(sidecar, { name: 'b', restartCount: 1, state: running })).toEqual(['1/3', 'Init:1/2', '3']);
    expect(during(sidecar, { name: 'b', state: ended({ exitCode: 1 }) })).toEqual([
      '1/3',
      'Init:ExitCode:1',
      '2',
    ]);
    expect(during(sidecar, { name: 'b', restartCount: 5, state: ended({}) })).toEqual([
      '1/3',
      'Pending',
      '2',
    ]);
  });

  it('displays deleted pods as Terminating', () => {
    const deletionTimestamp = '2026-01-01T00:59:00Z';
    expect(cellsOf({ metadata: { deletionTimestamp }, status: { phase: 'Running' } })[1]).toBe('Terminating');
    expect(
      cellsOf({ metadata: { deletionTimestamp }, status: { phase: 'Running', reason: 'NodeLost' } })[1],
    ).toBe('Unknown');
    expect(cellsOf({ metadata: { deletionTimestamp }, status: { phase: 'Succeeded' } })[1]).toBe('Succeeded');
  });

  it('has a row condition for terminated pods', () => {
    const { conditions } = tableOf('', 'pods');
    expect(conditions?.({ status: { phase: 'Succeeded' } })).toMatchObject([
      { type: 'Completed', reason: 'Succeeded' },
    ]);
    expect(conditions?.({ status: { phase: 'Failed' } })).toMatchObject([
      { type: 'Completed', reason: 'Failed' },
    ]);
    expect(conditions?.({ status: { phase: 'Running' } })).toBeUndefined();
  });
});
