import { describe, expect, it } from 'vitest';
import { decodeEnvelope, encodeObject } from '../../src/codec/envelope.ts';
import { parseJson } from '../../src/codec/json-parse.ts';
import { writeJson } from '../../src/codec/json-write.ts';
import { decodeMessage } from '../../src/codec/protobuf.ts';
import { fromPlain } from '../../src/codec/typed.ts';
import { DECLARED_MINORS, typesOfMinor } from '../support/minors.ts';
import { changedWireFixtures } from '../support/wire-fixtures.ts';

const LATER = DECLARED_MINORS.filter((minor) => minor !== '1.32');

describe.each(LATER)('objects of release %s', async (minor) => {
  it.each((await changedWireFixtures(minor)).map((fixture) => [fixture.name, fixture] as const))(
    '%s',
    (_, { type, apiVersion, kind, protobuf, json }) => {
      const { raw } = decodeEnvelope(protobuf);
      const value = decodeMessage(type, raw, { untrusted: true });
      expect(writeJson(type, value, type.typeMeta ? { apiVersion, kind } : undefined)).toBe(json);
      expect(encodeObject(type, apiVersion, kind, value).equals(protobuf)).toBe(true);
      const { value: fromJson, unknown } = fromPlain(type, parseJson(Buffer.from(json)).value);
      expect(unknown).toEqual([]);
      expect(encodeObject(type, apiVersion, kind, fromJson).equals(protobuf)).toBe(true);
    },
  );

  it('are decoded by an older release without the fields that it does not have', async () => {
    const older = await typesOfMinor('1.32');
    for (const { type, protobuf } of await changedWireFixtures(minor)) {
      const known = older.find(type.name);
      if (known === undefined) continue;
      const value = decodeMessage(known, decodeEnvelope(protobuf).raw, { untrusted: true });
      expect(() => writeJson(known, value)).not.toThrow();
    }
  });
});
