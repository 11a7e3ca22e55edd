import { describe, expect, test } from 'vitest';
import { GrpcError, MessageSplitter } from '../../../src/grpc/grpc.ts';
import { AmbiguousError, type Attempts, Cluster } from '../../../src/storage/etcd/cluster.ts';
import { isTrustedVersion } from '../../../src/storage/etcd/endpoint.ts';
import { cleanPrefix, KeyMapper } from '../../../src/storage/etcd/keys.ts';
import { Leases } from '../../../src/storage/etcd/leases.ts';
import { decodeHeaderOnly, decodeTransaction } from '../../../src/storage/etcd/messages.ts';
import { RANGE } from '../../../src/storage/etcd/paths.ts';
import { encodeTransaction } from '../../../src/storage/etcd/requests.ts';
import type { StoreReplacedError } from '../../../src/storage/storage.ts';
import { FakeClock } from '../fake-clock.ts';
import { FakeChannel, field, header, lost, message, noLeader, refused } from './fake-channel.ts';

function fixture(size = 1) {
  const clock = new FakeClock();
  const channels = new Map<string, FakeChannel>();
  const endpoints = Array.from({ length: size }, (_, index) => `http://e${index}`);
  const cluster = new Cluster({
    endpoints,
    createChannel: (url) => {
      channels.set(url, new FakeChannel());
      return channels.get(url)!;
    },
    clock,
    attemptTimeout: 2000,
    callTimeout: 10_000,
    random: () => 0,
  });
  const call = (attempts?: Attempts) =>
    cluster.call(RANGE, Buffer.alloc(0), decodeHeaderOnly, attempts && { attempts });
  return { clock, cluster, channels: [...channels.values()], call };
}

/** Advances the clock until the promise is settled. */
async function settled<T>(clock: FakeClock, promise: Promise<T>): Promise<T> {
  let over = false;
  promise
    .catch(() => undefined)
    .finally(() => {
      over = true;
    });
  while (!over) {
    clock.advance(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return promise;
}

/** The answer to the read of one key in a transaction. */
const found = (entry?: Buffer): Buffer =>
  field(3, field(1, entry === undefined ? message() : field(2, entry)));

describe('calls to a cluster', () => {
  test('another endpoint is used when one fails, and kept', async () => {
    const { channels, call } = fixture(3);
    channels[0]!.answer = refused;
    channels[1]!.answer = lost;
    await call();
    await call();
    expect(channels.map(({ calls }) => calls.length)).toEqual([1, 1, 2]);
  });

  test.each([
    ['not sent', refused, false],
    ['refused before the proposal', noLeader, false],
    ['lost', lost, true],
    ['timed out', () => new GrpcError(14, 'etcdserver: request timed out', true, true), true],
    ['leader changed', () => new GrpcError(14, 'etcdserver: leader changed', true, true), true],
    ['busy', () => new GrpcError(8, 'etcdserver: too many requests', true, true), false],
  ])('an attempt that was %s may have been carried out: %#', async (_, error, ambiguous) => {
    const { clock, channels, call } = fixture();
    let first = true;
    channels[0]!.answer = () => {
      if (!first) return header(1);
      first = false;
      return error();
    };
    const attempts = { repeatable: true, ambiguous: false };
    await settled(clock, call(attempts));
    expect(attempts.ambiguous).toBe(ambiguous);
  });

  test('a request that must not be carried out twice is sent again only if it was refused', async () => {
    const { clock, channels, call } = fixture();
    const errors = [refused(), noLeader(), lost()];
    channels[0]!.answer = () => errors.shift() ?? header(1);
    const attempts = { repeatable: false, ambiguous: false };
    await expect(settled(clock, call(attempts))).rejects.toBeInstanceOf(AmbiguousError);
    expect(attempts.ambiguous).toBe(true);
    expect(channels[0]!.calls).toHaveLength(3);
  });

  test('the only attempt has the time of all, and other calls leave an endpoint that is slow', async () => {
    const { clock, channels, call } = fixture(2);
    let answer: (message: Buffer) => void = () => undefined;
    channels[0]!.answer = () => new Promise((resolve) => (answer = resolve));
    const slow = call({ repeatable: false, ambiguous: false });
    await new Promise((resolve) => setImmediate(resolve));
    expect(channels[0]!.calls[0]!.timeout).toBe(10_000);
    clock.advance(1999);
    expect(channels[0]!.probes).toBe(0);
    clock.advance(1);
    expect(channels[0]!.probes).toBe(1);
    await call();
    expect(channels[1]!.calls).toHaveLength(1);
    answer(header(1));
    await slow;
  });

  test('an answer that is final is not repeated', async () => {
    const { channels, call } = fixture();
    channels[0]!.answer = () =>
      new GrpcError(11, 'etcdserver: mvcc: required revision has been compacted', true, true);
    await expect(call()).rejects.toMatchObject({ status: 11 });
    expect(channels[0]!.calls).toHaveLength(1);
  });

  test('attempts end at the deadline', async () => {
    const { clock, channels, call } = fixture();
    channels[0]!.answer = noLeader;
    await expect(settled(clock, call())).rejects.toMatchObject({ name: 'StorageUnavailableError' });
    expect(channels[0]!.calls.length).toBeGreaterThan(10);
    expect(channels[0]!.calls.length).toBeLessThan(60);
    channels[0]!.answer = lost;
    const attempts = { repeatable: true, ambiguous: false };
    await expect(settled(clock, call(attempts))).rejects.toThrow('the connection was closed');
    expect(attempts.ambiguous).toBe(true);
  });

  test('another cluster, and a revision that goes back, are reported', async () => {
    const { channels, cluster, call } = fixture();
    const reported: StoreReplacedError[] = [];
    cluster.onReplaced((error) => void reported.push(error));
    channels[0]!.answer = () => header(50);
    await call();
    channels[0]!.answer = () => header(49);
    await call();
    expect(reported.map(({ message: text }) => text)).toEqual([
      'the revision of etcd went back from 50 to 49: it was restored from a backup',
    ]);
    expect(cluster.revision).toBe(49);
    channels[0]!.answer = () => header(60, 8);
    await call();
    expect(reported[1]!.message).toBe('another etcd cluster answers than before');
    await call();
    expect(reported).toHaveLength(2);
  });

  test('answers to what was sent before a replacement do not count', async () => {
    const { channels, cluster, call } = fixture();
    let answerFirst: (message: Buffer) => void = () => undefined;
    channels[0]!.answer = () => new Promise((resolve) => (answerFirst = resolve));
    const slow = call();
    await new Promise((resolve) => setImmediate(resolve));
    let replacements = 0;
    channels[0]!.answer = () => header(50);
    await call();
    cluster.onReplaced(() => (replacements += 1));
    channels[0]!.answer = () => header(3, 8);
    await call();
    answerFirst(header(51));
    await slow;
    expect([replacements, cluster.revision]).toEqual([1, 3]);
  });

  describe('on a new connection', () => {
    const known = (revision: number, value = 'v') => {
      const read = found(message(field(1, '/a'), field(3, revision), field(5, value)));
      return message(header(90), read, read);
    };
    const absent = message(header(90), found(), found());
    const error = (text: string) => new GrpcError(11, `etcdserver: mvcc: ${text}`, true, true);

    /** What is reported when the known change is read on a new connection, with this answer. */
    async function recognized(answer: Buffer | GrpcError): Promise<string[]> {
      const { channels, cluster, call } = fixture();
      const [channel] = channels;
      channel!.answer = () => header(50);
      await call();
      cluster.witness.saw({ key: '/a', value: Buffer.from('v'), revision: 40, unique: true });
      const reported: string[] = [];
      cluster.onReplaced(({ message: text }) => void reported.push(text));
      channel!.connections += 1;
      channel!.answer = () => (channel!.calls.length === 2 ? header(90) : answer);
      await call();
      await new Promise((resolve) => setImmediate(resolve));
      expect(channel!.calls).toHaveLength(3);
      return reported;
    }

    test('a cluster whose history has the newest known change is the same', async () => {
      expect(await recognized(known(40))).toEqual([]);
    });

    test.each([
      ['another change', known(39)],
      ['another value', known(40, 'w')],
      ['no key', absent],
      ['no history', error('required revision has been compacted')],
      ['a lower revision', error('required revision is a future revision')],
    ])('one with %s at its revision was replaced', async (_, answer) => {
      expect(await recognized(answer)).toEqual([
        expect.stringContaining('the history of etcd does not contain'),
      ]);
    });
  });

  test('a known change is looked for once on a connection, and again if it could not be read', async () => {
    const { channels, cluster, call } = fixture();
    const [channel] = channels;
    channel!.answer = () => header(50);
    await call();
    cluster.witness.saw({ key: '/a', value: Buffer.from('v'), revision: 40, unique: true });
    cluster.onReplaced(() => expect.unreachable());
    channel!.connections += 1;
    channel!.answer = () =>
      channel!.calls.length === 3
        ? lost()
        : message(
            header(50),
            ...[1, 2].map(() => found(message(field(1, '/a'), field(3, 40), field(5, 'v')))),
          );
    for (const reads of [3, 5, 6]) {
      await call();
      await new Promise((resolve) => setImmediate(resolve));
      expect(channel!.calls).toHaveLength(reads);
    }
    // What is compacted cannot be read.
    cluster.witness.compacted(41);
    channel!.connections += 1;
    await call();
    expect(channel!.calls).toHaveLength(7);
  });

  test('answers out of order are not a revision that goes back', async () => {
    const { channels, cluster, call } = fixture();
    let answerFirst: (message: Buffer) => void = () => undefined;
    channels[0]!.answer = () => new Promise((resolve) => (answerFirst = resolve));
    const slow = call();
    await new Promise((resolve) => setImmediate(resolve));
    channels[0]!.answer = () => header(10);
    await call();
    cluster.onReplaced(() => expect.unreachable());
    answerFirst(header(9));
    await slow;
    expect(cluster.revision).toBe(10);
  });
});

describe('leases', () => {
  test('are shared as in kube-apiserver', async () => {
    const { clock, channels, cluster } = fixture();
    let id = 0;
    channels[0]!.answer = () => {
      id += 1;
      return message(header(1), field(2, id));
    };
    const replaced: number[] = [];
    const leases = new Leases({
      cluster,
      clock,
      reuseSeconds: 60,
      onReplaced: (keys) => replaced.push(keys),
    });
    const granted = () =>
      channels[0]!.calls.map(({ request }) => request[1]! + 128 * (request[2] ?? 0) - 128);
    const first = await Promise.all(Array.from({ length: 1000 }, () => leases.take(3600)));
    expect(new Set(first)).toEqual(new Set([1]));
    // 3600 s and 60 s more.
    expect(granted()).toEqual([3660]);
    expect(await leases.take(3600)).toBe(2);
    expect(replaced).toEqual([1000]);
    clock.advance(59_000);
    expect(await leases.take(3600)).toBe(2);
    clock.advance(2000);
    expect(await leases.take(3600)).toBe(3);
    leases.forget(3);
    expect(await leases.take(3600)).toBe(4);
    // Another time to live does not fit.
    expect(await leases.take(1800)).toBe(5);
  });
});

describe('messages', () => {
  test('a transaction as etcd expects it', () => {
    const request = encodeTransaction({ key: '/é', modRevision: 300, value: Buffer.from('v'), lease: 9n });
    expect(request).toEqual(
      message(
        field(1, message(field(2, 2), field(3, '/é'), field(6, 300))),
        field(2, field(2, message(field(1, '/é'), field(2, 'v'), field(3, 9)))),
        field(3, field(1, field(1, '/é'))),
      ),
    );
  });

  test('the current entry of a refused transaction, with unknown fields', () => {
    const entry = message(
      field(1, '/a'),
      field(2, 3),
      field(3, 2 ** 40),
      field(4, 2),
      field(5, 'value'),
      field(6, 1),
      field(99, 'new'),
    );
    const range = message(header(5), field(2, entry), field(4, 1));
    const answer = decodeTransaction(message(header(6), field(3, field(1, range))));
    expect(answer).toMatchObject({ succeeded: false, header: { revision: 6 } });
    expect(answer.current).toMatchObject({ key: '/a', createRevision: 3, modRevision: 2 ** 40, version: 2 });
    expect(Buffer.from(answer.current!.value).toString()).toBe('value');
  });

  test('are split at any place', () => {
    const sizes = [0, 1, 300, 70_000];
    const framed = sizes.map((size) => {
      const head = Buffer.alloc(5);
      head.writeUInt32BE(size, 1);
      return Buffer.concat([head, Buffer.alloc(size, size & 255)]);
    });
    const whole = Buffer.concat(framed);
    for (const step of [1, 4, 5, 7, 1000, whole.length]) {
      const splitter = new MessageSplitter(1 << 20);
      const found: number[] = [];
      for (let at = 0; at < whole.length; at += step) {
        splitter.push(whole.subarray(at, at + step));
        for (let next = splitter.next(); next !== undefined; next = splitter.next()) found.push(next.length);
      }
      expect(found).toEqual(sizes);
      expect(splitter.incomplete).toBe(false);
    }
  });

  test('that are compressed or too large are refused', () => {
    const compressed = new MessageSplitter(10);
    compressed.push(Buffer.from([1, 0, 0, 0, 0]));
    expect(() => compressed.next()).toThrow('compressed');
    const large = new MessageSplitter(10);
    large.push(Buffer.from([0, 0, 0, 0, 11]));
    expect(() => large.next()).toThrow('11 bytes');
  });
});

describe('keys', () => {
  test.each([
    ['/registry', '/registry'],
    ['registry/', '/registry'],
    ['//a/./b/', '/a/b'],
    ['', ''],
  ])('the prefix %j is %j', (flag, prefix) => expect(cleanPrefix(flag)).toBe(prefix));

  test('of another prefix', () => {
    const keys = new KeyMapper('/other');
    expect(keys.toEtcd('/registry/pods/a')).toBe('/other/pods/a');
    expect(keys.endToEtcd('/registry/pods0')).toBe('/other/pods0');
    expect(keys.endToEtcd('/registry0')).toBe('/other0');
    expect(keys.endToEtcd('')).toBe('/other0');
    expect(keys.fromEtcd('/other/pods/a')).toBe('/registry/pods/a');
  });
});

test.each([
  ['3.4.30', false],
  ['3.4.31', true],
  ['3.5.0', false],
  ['3.5.12', false],
  ['3.5.13', true],
  ['3.5.21', true],
  ['3.6.0-rc.1', true],
  ['4.0.0', true],
  ['3.3.99', false],
  ['nonsense', false],
])('progress of etcd %s is trusted: %s', (version, trusted) =>
  expect(isTrustedVersion(version)).toBe(trusted),
);
