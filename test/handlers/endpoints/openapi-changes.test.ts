import { describe, expect, it, vi } from 'vitest';
import { resourceSetSource } from '../../../src/handlers/endpoints/discovery-source.ts';
import { OpenApi, type OpenApiOptions } from '../../../src/handlers/endpoints/openapi.ts';
import type { ResourceRow } from '../../../src/kinds/resource-row.ts';
import { schemeOf } from '../../../src/model/scheme.ts';
import type { CustomKind } from '../../../src/openapi/custom-kind.ts';
import { DocumentBuilder } from '../../../src/openapi/documents.ts';
import { ResourceSet } from '../../../src/resources/resource-set.ts';
import { rowOf } from '../../support/builtin-resources.ts';
import { callerOf } from '../../support/call-handler.ts';
import { kindType } from '../../support/types.ts';

/** A server with built-in resources of one group, to which custom kinds are added. */
function server(options: Partial<OpenApiOptions> = {}) {
  const resources = new ResourceSet([rowOf('', 'v1', 'configmaps', 'ConfigMap')]);
  /** What was computed: hashes and schemas, by kind. */
  const computed: string[] = [];
  const former = new ResourceSet([]);
  const openapi = new OpenApi({
    sources: [resourceSetSource(resources)],
    former: resourceSetSource(former),
    builder: async () =>
      new DocumentBuilder({
        release: { minor: '1.32', groupVersions: schemeOf().groupVersions, optionalVersionMembers: [] },
        kindType,
        deleteReturnsObject: (group) => {
          if (group !== '') throw new Error('only built-in resources are asked for');
          return false;
        },
        descriptions: { ofType: () => undefined, ofField: () => undefined },
        cbor: false,
        issuer: false,
      }),
    buildId: '1',
    ...options,
  });
  const declare = (
    group: string,
    kind: string,
    text: string,
  ): ResourceRow & { readonly customKind: CustomKind } => {
    const name = `test.${kind}`;
    const customKind: CustomKind = {
      name,
      listName: `${name}List`,
      get hash() {
        computed.push(`hash ${kind}`);
        return text;
      },
      schemas(dialect) {
        computed.push(`${dialect} ${kind}`);
        return { [name]: { description: text, type: 'object' }, [`${name}List`]: { type: 'object' } };
      },
    };
    const row = { ...rowOf(group, 'v1', `${kind.toLowerCase()}s`, kind), customKind };
    resources.change({ add: [row] });
    return row;
  };
  const call = callerOf(openapi.paths());
  const hashes = async () => {
    const { paths } = (await call('/openapi/v3')).json() as Record<string, Record<string, object>>;
    return Object.fromEntries(
      Object.entries(paths!).map(
        ([name, { serverRelativeURL }]: [string, { serverRelativeURL?: string }]) => [
          name,
          serverRelativeURL!,
        ],
      ),
    );
  };
  const v2 = async () => (await call('/openapi/v2')).json() as Record<string, Record<string, object>>;
  return { resources, former, computed, declare, call, hashes, v2 };
}

describe('OpenAPI of custom kinds', () => {
  it('computes nothing before it is asked for', async () => {
    const { computed, declare, call } = server();
    await call('/openapi/v3');
    for (let index = 0; index < 1000; index += 1) declare(`g${index}.test`, 'Thing', 'text');
    expect(computed).toEqual([]);
  });

  it('sends the index again after a change in the second of the last request', async () => {
    const { declare, call } = server();
    for (const kind of ['Thing', 'Other']) {
      const { headers } = await call('/openapi/v3');
      declare('a.test', kind, 'text');
      const since = { 'if-modified-since': String(headers['last-modified']) };
      expect((await call('/openapi/v3', since)).status).toBe(200);
    }
  });

  it('sends the index again after a change when the clock was set back', async () => {
    let now = Date.parse('2030-01-01T00:00:10Z');
    const { declare, call } = server({ now: () => now });
    const { headers } = await call('/openapi/v3');
    now -= 5000;
    declare('a.test', 'Thing', 'text');
    const since = { 'if-modified-since': String(headers['last-modified']) };
    expect((await call('/openapi/v3', since)).status).toBe(200);
  });

  it('includes the kinds that the store had at the request', async () => {
    const catchUp = vi.fn(async () => void changed.declare('a.test', 'Thing', 'text'));
    const changed = server({ catchUp });
    expect(Object.keys(await changed.hashes())).toContain('apis/a.test/v1');
    catchUp.mockRejectedValueOnce(new Error('the store does not answer'));
    expect((await changed.call('/openapi/v3/apis/a.test/v1')).status).toBe(200);
  });

  it('computes only what changed', async () => {
    const { computed, declare, hashes, v2, call } = server();
    declare('one.test', 'One', 'first');
    declare('two.test', 'Two', 'second');
    const before = await hashes();
    await call('/openapi/v3/apis/one.test/v1');
    await v2();
    computed.length = 0;
    declare('two.test', 'Two', 'changed');
    const after = await hashes();
    const document = await v2();
    expect(computed).toEqual(['hash Two', 'v2 Two']);
    expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual(['apis/two.test/v1']);
    expect(document['definitions']).toMatchObject({
      'test.One': { description: 'first' },
      'test.Two': { description: 'changed' },
    });
    await call('/openapi/v3/apis/one.test/v1');
    expect(computed).toEqual(['hash Two', 'v2 Two']);
  });

  it('keeps the documents of a row that is replaced by an equal one', async () => {
    const { computed, declare, hashes, call } = server();
    declare('one.test', 'One', 'same');
    const before = await hashes();
    await call('/openapi/v3/apis/one.test/v1');
    declare('one.test', 'One', 'same');
    expect(await hashes()).toEqual(before);
    computed.length = 0;
    await call('/openapi/v3/apis/one.test/v1');
    expect(computed).toEqual([]);
  });

  it('describes a kind that is not served any more in version 3 only', async () => {
    const { resources, former, declare, hashes, v2, call } = server();
    const row = declare('one.test', 'One', 'text');
    const before = await hashes();
    const served = await call('/openapi/v2');
    expect(served.json()).toHaveProperty(['definitions', 'test.One', 'description'], 'text');
    former.change({ add: [row] });
    resources.change({ remove: [row] });
    expect(await hashes()).toEqual(before);
    const { status, json } = await call('/openapi/v3/apis/one.test/v1');
    expect(status).toBe(200);
    expect(json()).toHaveProperty(['components', 'schemas', 'test.One', 'description'], 'text');
    const unserved = await call('/openapi/v2');
    expect(unserved.headers['etag']).not.toBe(served.headers['etag']);
    const document = await v2();
    expect(document['paths']).not.toHaveProperty(['/apis/one.test/v1/ones']);
    expect(document['definitions']).not.toHaveProperty(['test.One']);
    former.change({ remove: [row] });
    expect(Object.keys(await hashes())).toEqual(['api', 'api/v1', 'apis', 'version']);
  });

  it('keeps the hash when only short names change', async () => {
    const { resources, declare, hashes } = server();
    const row = declare('one.test', 'One', 'text');
    const before = await hashes();
    resources.change({ remove: [row], add: [{ ...row, shortNames: ['o'], categories: ['all'] }] });
    expect(await hashes()).toEqual(before);
  });

  it('forgets a kind that is removed', async () => {
    const { resources, declare, hashes, v2, call } = server();
    const row = declare('one.test', 'One', 'text');
    const { etag } = (await call('/openapi/v2')).headers;
    expect(Object.keys(await hashes())).toEqual(['api', 'api/v1', 'apis', 'apis/one.test/v1', 'version']);
    expect((await v2())['paths']).toHaveProperty(['/apis/one.test/v1/ones']);
    resources.change({ remove: [row] });
    expect(Object.keys(await hashes())).toEqual(['api', 'api/v1', 'apis', 'version']);
    expect((await call('/openapi/v3/apis/one.test/v1')).status).toBe(404);
    const document = await v2();
    expect(document['definitions']).not.toHaveProperty(['test.One']);
    expect(document['paths']).not.toHaveProperty(['/apis/one.test/v1/ones']);
    expect((await call('/openapi/v2')).headers['etag']).not.toBe(etag);
  });

  it('describes the kinds that were served when a document was begun', async () => {
    const { resources, declare, v2 } = server();
    const one = declare('one.test', 'One', 'text');
    const two = declare('two.test', 'Two', 'text');
    const { schemas } = one.customKind;
    one.customKind.schemas = (dialect) => {
      resources.change({ remove: [one, two] });
      return schemas(dialect);
    };
    expect(Object.keys((await v2())['definitions']!)).toEqual(
      expect.arrayContaining(['test.One', 'test.Two', 'test.TwoList']),
    );
    expect(Object.keys((await v2())['definitions']!)).not.toContain('test.Two');
  });

  it('gives every request the changes made before it', async () => {
    const { declare, hashes } = server();
    const early = hashes();
    declare('one.test', 'One', 'text');
    const [, late, again] = await Promise.all([early, hashes(), hashes()]);
    expect(Object.keys(late)).toContain('apis/one.test/v1');
    expect(again).toEqual(late);
  });
});
