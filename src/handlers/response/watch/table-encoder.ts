import type { CacheRecord, EventType } from '../../../cache/record.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import { wrapDecodeError } from '../../../resources/corrupt-object.ts';
import type { ApiError } from '../../../status/index.ts';
import type { Steps } from '../../../steps/steps.ts';
import type { ClusterClock } from '../../../time/clock.ts';
import { jsonText } from '../answer.ts';
import { bookmarkMetadata } from '../bookmark-metadata.ts';
import { plainTableJson, tableJson } from '../table-view.ts';
import type { ViewContext } from '../view-context.ts';
import { prepared } from '../views.ts';
import type { EventEncoder } from './event-encoder.ts';
import { frameForm } from './shared-encoder.ts';

/** Encodes table events. Only the first event has columns, so its frame is not shared. */
export class TableEncoder implements EventEncoder {
  readonly contentType = 'application/json';
  readonly text = true;
  readonly form: string;
  #columnsSent = false;
  constructor(
    private readonly view: ViewContext,
    private readonly now: ClusterClock['now'],
  ) {
    this.form = `${frameForm(view)} ${view.includeObject}`;
  }

  prepare(_type: EventType, record: CacheRecord, revision: number): Steps<CacheRecord> | undefined {
    return prepared(this.view, record, revision);
  }

  event(type: EventType, record: CacheRecord, revision: number): Uint8Array {
    const table = wrapDecodeError(record.key, record.value, () =>
      tableJson(
        { ...this.view, now: this.now() },
        [{ record, revision }],
        { resourceVersion: String(revision) },
        !this.#columnsSent,
      ),
    );
    this.#columnsSent = true;
    return this.#frame(type, table);
  }

  /** A bookmark is a row of an empty object. The end of the initial events is always shown in its metadata. */
  bookmark(revision: number, initialEnd: boolean): Uint8Array {
    const { resource, negotiated, includeObject } = this.view;
    const { schema, row, apiVersion, table, types } = resource;
    const metadata = bookmarkMetadata(this.view, revision, initialEnd);
    const object: KubernetesObject = schema.fromPlain({ metadata }).value;
    const text = plainTableJson(table, [object], {
      types,
      metaVersion: negotiated.metaVersion,
      includeObject: includeObject === 'None' && initialEnd ? 'Metadata' : includeObject,
      objectJson: () => schema.writeJson(object, { kind: row.kind, apiVersion }),
      now: this.now(),
      withColumns: !this.#columnsSent,
    });
    this.#columnsSent = true;
    return this.#frame('BOOKMARK', text);
  }

  error(error: ApiError): Uint8Array {
    return this.#frame('ERROR', jsonText(error.toStatus()));
  }

  #frame(type: string, object: string): Uint8Array {
    return Buffer.from(`{"type":"${type}","object":${object}}\n`);
  }
}
