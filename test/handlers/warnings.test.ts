import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

describe('warning headers', () => {
  let cluster: TestCluster;
  let path: string;
  beforeAll(async () => {
    cluster = await startCluster({ controllers: ['-*'] });
    path = `/api/v1/namespaces/${await cluster.createNamespace('warned')}/configmaps`;
  });
  afterAll(() => cluster.stop());

  /** The bytes of the header, decoded as UTF-8. */
  const warningOf = async (body: unknown): Promise<string> => {
    const answer = await cluster.fetch(`${path}?dryRun=All`, { method: 'POST', body });
    expect(answer.status).toBe(201);
    return Buffer.from(answer.headers.get('warning') ?? '', 'latin1').toString();
  };
  const unknown = (name: string) => ({ metadata: { name: 'a' }, [name]: 1 });

  it('contain non-ASCII names in UTF-8, encoded once', async () => {
    expect(await warningOf(unknown('ключ 𐀀'))).toBe('299 - "unknown field \\"ключ 𐀀\\""');
  });

  it('cannot inject other headers', async () => {
    expect(await warningOf(unknown('a"\\\r\nb\u0001'))).toBe(
      '299 - "unknown field \\"a\\\\\\"\\\\\\\\\\\\r\\\\nb\\\\x01\\""',
    );
  });

  it('are shortened above the total limit, never within a character', async () => {
    const text = await warningOf(unknown('𐀀'.repeat(4096)));
    expect(text).toBe(`299 - "unknown field \\"${'𐀀'.repeat(256 - 'unknown field "'.length)}"`);
  });

  it('are counted in characters, not in bytes', async () => {
    const name = 'é'.repeat(4096 - 'unknown field ""'.length);
    expect(await warningOf(unknown(name))).toBe(`299 - "unknown field \\"${name}\\""`);
  });

  it('are dropped above 4 kB', async () => {
    const members = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`field-${index}-${'x'.repeat(50)}`, 1]),
    );
    const text = await warningOf({ metadata: { name: 'a' }, ...members });
    expect(text.length).toBeLessThan(5000);
    expect(text).toContain('field-40-');
    expect(text).not.toContain('field-299-');
  });

  it('warn about a deprecated resource where it has a route', async () => {
    const warned = async (method: string, name = '') =>
      (await cluster.fetch(`/api/v1/componentstatuses${name}`, { method })).headers.has('warning');
    expect([await warned('GET'), await warned('GET', '/etcd-0')]).toEqual([true, true]);
    expect([await warned('PUT'), await warned('POST', '/etcd-0'), await warned('HEAD')]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
