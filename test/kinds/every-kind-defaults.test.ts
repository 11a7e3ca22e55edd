import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeMessage } from '../../src/codec/protobuf.ts';
import { fromPlain, toPlain } from '../../src/codec/typed.ts';
import type { KubernetesObject } from '../../src/model/object.ts';
import { arbitraryMessage } from '../support/arbitrary-object.ts';
import { BUILTIN_RESOURCES } from '../support/builtin-kinds.ts';
import { strategyOf } from '../support/builtin-resources.ts';
import { kindType } from '../support/types.ts';

const KINDS = BUILTIN_RESOURCES.flatMap((row) => {
  const defaults =
    row.storage === undefined
      ? undefined
      : strategyOf(row.group, row.resource).defaulting?.byVersion?.[row.version];
  return defaults === undefined ? [] : [[`${row.group}/${row.version}`, row.kind, defaults] as const];
});

describe.each(KINDS)('defaults of %s %s', (apiVersion, kind, defaults) => {
  const [group, version] = apiVersion.split('/') as [string, string];
  const type = kindType(group, version, kind)!;
  const copyOf = (object: object): KubernetesObject => fromPlain(type, toPlain(type, object)).value;

  it('sets all defaults in one pass, for any object and encoding', () => {
    fc.assert(
      fc.property(arbitraryMessage(type, 6), (made) => {
        const object = copyOf(made);
        defaults(object);
        const once = toPlain(type, object);
        defaults(object);
        expect(toPlain(type, object)).toEqual(once);
        const decoded = copyOf(object);
        defaults(decoded);
        expect(toPlain(type, decoded)).toEqual(once);
        expect(Buffer.compare(encodeMessage(type, decoded), encodeMessage(type, object))).toBe(0);
      }),
      { numRuns: 30 },
    );
  });
});
