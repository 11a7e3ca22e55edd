import fc from 'fast-check';
import { CacheRecord } from '../../../src/cache/record.ts';
import { protobufHead, protobufItems } from '../../../src/handlers/response/protobuf-list.ts';
import type { ViewContext } from '../../../src/handlers/response/view-context.ts';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { smallServer } from '../../support/small-server.ts';
import { paceCase } from './pace-case.ts';

const resource = smallServer({ storage: createMemoryStorage() }).resources.find('', 'v1', 'configmaps')!;
const { stored } = resource;
const view: ViewContext = {
  resource,
  negotiated: {
    encoding: 'protobuf',
    projection: 'object',
    metaVersion: 'v1',
    contentType: '',
    pretty: false,
  },
  includeObject: 'None',
  now: 0,
  keep: true,
};

/** Records whose rest is copied, and records whose rest is a part. */
const records = fc.array(fc.constantFrom(0, 100, 2000)).map((lengths) =>
  lengths.map((length, at) => {
    const value = stored.codec.encode({
      metadata: { name: `m${at}` },
      data: { a: 'a'.repeat(length) },
    } as never);
    return new CacheRecord(stored.key('default', `m${at}`), at + 1, value, stored.reader);
  }),
);

export const HANDLERS_CASES = [
  paceCase('handlers/response/protobuf-list.ts protobufHead', records, (all) =>
    protobufHead(view, all, { resourceVersion: '7' }),
  ),
  paceCase('handlers/response/protobuf-list.ts protobufItems', records, (all) => protobufItems(view, all)),
];
