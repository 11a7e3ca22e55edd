import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCbor, withBinaryBytes, writeCbor } from '../../src/codec/cbor.ts';
import { parseJson } from '../../src/codec/json-parse.ts';
import { writeJson, writeJsonWithOffset, writingSplitJson } from '../../src/codec/json-write.ts';
import { decodeMessage, encodeMessage } from '../../src/codec/protobuf.ts';
import { fromPlain, toPlain } from '../../src/codec/typed.ts';
import { parseYaml, writeYaml } from '../../src/codec/yaml.ts';
import { withoutNulls as withoutNullsInSteps } from '../../src/patch/merge-patch.ts';
import { runNow } from '../../src/steps/run.ts';
import { setStepSizes } from '../../src/steps/sizes.ts';
import { arbitraryMessage } from '../support/arbitrary-object.ts';
import { atOnce } from '../support/at-once.ts';
import { BUILTIN_RESOURCES } from '../support/builtin-kinds.ts';
import { kindType } from '../support/types.ts';

const withoutNulls = atOnce(withoutNullsInSteps);

const KINDS = [
  ...new Map(BUILTIN_RESOURCES.map((row) => [`${row.group}/${row.version} ${row.kind}`, row])).entries(),
];

describe.each(KINDS)('%s', (_, row) => {
  const type = kindType(row.group, row.version, row.kind)!;
  const typeMeta = {
    apiVersion: row.group === '' ? row.version : `${row.group}/${row.version}`,
    kind: row.kind,
  };

  it('is the same in every encoding and round-trips', () => {
    fc.assert(
      fc.property(arbitraryMessage(type, 5), (object) => {
        const plain = toPlain(type, object, typeMeta);
        const restore = setStepSizes({ nodes: 3 });
        const inSteps = runNow(writingSplitJson(type, object, typeMeta));
        restore();
        if (inSteps !== undefined)
          expect(Buffer.concat([inSteps.head, ...inSteps.tail]).toString()).toBe(
            writeJsonWithOffset(type, object, typeMeta).text.toString(),
          );
        expect(plain).toEqual(parseJson(Buffer.from(writeJson(type, object, typeMeta))).value);
        // Free-form data may contain null, which is the same as absence, and has its members in any order.
        const expected = withoutNulls(plain);
        const again = (read: unknown) => withoutNulls(toPlain(type, fromPlain(type, read).value, typeMeta));
        expect(again(parseJson(Buffer.from(writeJson(type, object, typeMeta))).value)).toEqual(expected);
        expect(again(parseYaml(Buffer.from(writeYaml(plain))).value)).toEqual(expected);
        expect(again(parseCbor(writeCbor(withBinaryBytes(type, plain))).value)).toEqual(expected);
        if (type.protobuf !== undefined)
          expect(
            withoutNulls(toPlain(type, decodeMessage(type, encodeMessage(type, object)), typeMeta)),
          ).toEqual(expected);
      }),
      { numRuns: 15 },
    );
  });
});
