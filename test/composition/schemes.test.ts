import { expect, it } from 'vitest';
import { DEFAULT_MINOR, type Scheme, schemeOf } from '../../src/model/scheme.ts';
import { TypeModel } from '../../src/model/type-model.ts';
import { firstDeclarations } from '../../src/model/types/index.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { smallServer } from '../support/small-server.ts';

const PATH = '/api/v1/namespaces/default/configmaps?fieldValidation=Warn';
const BODY = { metadata: { name: 'a' }, immutable: true, data: { key: 'value' } };

/** A release in which a ConfigMap has no field `immutable`. */
function withoutImmutable(): Scheme {
  const scheme = schemeOf(DEFAULT_MINOR);
  const files = firstDeclarations.map((file) => ({
    ...file,
    types: file.types.replace(
      /^ConfigMap kind\n(?: {2}.*\n?)*/m,
      'ConfigMap kind\n  metadata 1 meta_v1.ObjectMeta\n  data 2 map:string\n  binaryData 3 map:bytes\n',
    ),
  }));
  return { ...scheme, types: new TypeModel(files, scheme.minor) };
}

it('two servers in one process serve the fields of their releases', async () => {
  const older = withoutImmutable();
  expect(older.types.type('core_v1.ConfigMap').byName.has('immutable')).toBe(false);
  const servers = [older, schemeOf()].map((scheme) =>
    smallServer({ storage: createMemoryStorage(), scheme }),
  );
  const answers = await Promise.all(servers.map((server) => server.send('POST', PATH, BODY)));
  expect(answers.map(({ status, warnings, object }) => [status, warnings.length, object.immutable])).toEqual([
    [201, 1, undefined],
    [201, 0, true],
  ]);
  for (const server of servers) await server.close();
});
