import type { CacheRecord, EventType } from '../../../cache/record.ts';
import { wrapDecodeError } from '../../../resources/corrupt-object.ts';
import type { ApiError } from '../../../status/index.ts';
import { jsonText } from '../answer.ts';
import { jsonDocument } from '../views.ts';
import { bookmarkJson } from './bookmark-object.ts';
import { SharedEncoder } from './shared-encoder.ts';

const END = Buffer.from('}\n');

/** Encodes events as lines of JSON. */
export class JsonEncoder extends SharedEncoder {
  readonly contentType = 'application/json';
  readonly text = true;

  protected frame(type: EventType, record: CacheRecord, revision: number): Uint8Array {
    return eventLine(
      type,
      wrapDecodeError(record.key, record.value, () => jsonDocument(this.view, record, revision)),
    );
  }

  bookmark(revision: number, initialEnd: boolean): Uint8Array {
    return eventLine('BOOKMARK', Buffer.from(`${bookmarkJson(this.view, revision, initialEnd)}\n`));
  }

  error(error: ApiError): Uint8Array {
    return eventLine('ERROR', Buffer.from(`${jsonText(error.toStatus())}\n`));
  }
}

/** @param object a document with its newline */
const eventLine = (type: string, object: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(`{"type":"${type}","object":`), object.subarray(0, object.length - 1), END]);
