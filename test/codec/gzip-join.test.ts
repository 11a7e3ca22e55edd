import { constants, crc32, deflateRawSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GzipJoin, joinedCrc, storedPart } from '../../src/codec/gzip-join.ts';

const bytes = fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each));

it('joins checksums', () => {
  fc.assert(
    fc.property(bytes, bytes, (first, second) => {
      expect(joinedCrc(crc32(first), crc32(second), second.length)).toBe(
        crc32(Buffer.concat([first, second])),
      );
    }),
  );
  const long = Buffer.alloc(3_000_000, 'long');
  expect(joinedCrc(crc32('a'), crc32(long), long.length)).toBe(
    crc32(Buffer.concat([Buffer.from('a'), long])),
  );
});

it('joins a body of compressed and of stored parts', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(bytes, fc.boolean())), (parts) => {
      const body = new GzipJoin();
      const sent = [body.head];
      for (const [part, isStored] of parts)
        sent.push(
          body.add(
            isStored
              ? storedPart(part, crc32(part))
              : {
                  deflated: deflateRawSync(part, { finishFlush: constants.Z_SYNC_FLUSH }),
                  crc: crc32(part),
                  bytes: part.length,
                },
          ),
        );
      sent.push(body.end());
      expect(gunzipSync(Buffer.concat(sent))).toEqual(Buffer.concat(parts.map(([part]) => part)));
    }),
  );
});

it('stores more than a block has', () => {
  const long = Buffer.alloc(200_000, 'long');
  const body = new GzipJoin();
  const sent = Buffer.concat([body.head, body.add(storedPart(long, crc32(long))), body.end()]);
  expect(gunzipSync(sent).equals(long)).toBe(true);
});
