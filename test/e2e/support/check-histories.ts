import { expect } from 'vitest';
import { findNonLinearizable } from '../../storage/history/linearizability.ts';
import { findWatchProblem } from '../../storage/history/watch-history.ts';
import { HistoryLoad, HistoryWatcher } from './history-load.ts';
import { until } from './until.ts';

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];
/** The objects of the clients. A controller that becomes leader may write its ConfigMap of the namespace again. */
const RECORDED = [...KEYS, 'last'];
const isRecorded = ({ key }: { readonly key: string }): boolean => RECORDED.includes(key);
const recordedOf = <Version>(versions: ReadonlyMap<string, Version>): ReadonlyMap<string, Version> =>
  new Map([...versions].filter(([key]) => isRecorded({ key })));
/** Writes before and after a fault. */
const WRITES = 100;

export interface HistoryCheck {
  /** Servers of one store. */
  readonly urls: readonly string[];
  readonly authorization: string;
  /** A new namespace for the objects. */
  readonly namespace: string;
  readonly clients: number;
  /** Whether a server may give up a patch because others write the object: kube-apiserver does. */
  readonly patchesConflict?: boolean;
  /** Whether controllers write a ConfigMap into the new namespace. */
  readonly controllers?: boolean;
  readonly fault: (load: HistoryLoad) => Promise<void>;
}

/** Runs clients and watchers of several servers during a fault, and checks everything that they saw. */
export async function checkHistories(check: HistoryCheck): Promise<void> {
  const { urls, authorization, namespace, clients, controllers = true, fault } = check;
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const load = new HistoryLoad({ ...check, path, keys: KEYS, recorded: RECORDED });
  const created = await load.send(0, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  expect(created.status).toBe(201);
  const isComplete = async () => (await load.list(0)).versions.has('kube-root-ca.crt');
  if (controllers) await until(isComplete, 'the ConfigMap of a controller');
  const watchers = await Promise.all(
    urls.map(
      async (_, index) => new HistoryWatcher(urls, authorization, path, await load.list(index), index),
    ),
  );
  try {
    load.start(clients);
    await writes(load);
    await fault(load);
    await writes(load);
    await load.stop();
    const last = { metadata: { name: 'last' }, data: { value: 'last' } };
    expect((await load.send(0, 'POST', path, last)).status).toBe(201);
    const [final] = await Promise.all(urls.map((_, index) => load.list(index)));
    const seesLast = ({ events }: HistoryWatcher) => events.some(({ key }) => key === 'last');
    await until(() => watchers.every(seesLast), 'the watchers to see the last write', 30_000);
    expect(watchers.map(({ problem }) => problem)).toEqual(watchers.map(() => undefined));
    const histories = watchers.map(({ initial, events }, index) => ({
      name: `watcher ${index}`,
      initial: recordedOf(initial.versions),
      from: initial.revision,
      events: events.filter(isRecorded),
    }));
    const operations = [
      ...load.operations,
      {
        client: -1,
        key: 'last',
        request: { kind: 'create', value: 'last' },
        outcome: { kind: 'done', revision: final!.versions.get('last')!.revision },
        invoked: load.operations.findLast(({ key }) => key === 'last')!.invoked - 1,
        returned: Number.POSITIVE_INFINITY,
      } as const,
    ];
    expect(
      findWatchProblem(histories, operations, { ...final!, versions: recordedOf(final!.versions) }),
    ).toBeUndefined();
    expect(findNonLinearizable(operations)).toBeUndefined();
    expect(load.unexpected).toEqual([]);
  } finally {
    for (const watcher of watchers) watcher.close();
    await load.stop();
  }
}

/** Waits for more acknowledged writes. */
export async function writes({ acknowledged }: HistoryLoad, count = WRITES): Promise<void> {
  const enough = acknowledged.length + count;
  await until(() => acknowledged.length >= enough, 'writes', 60_000);
}
