import type { ApiError } from '../../../status/index.ts';
import type { ClusterClock } from '../../../time/clock.ts';
import type { ViewContext } from '../view-context.ts';
import type { EventEncoder } from './event-encoder.ts';
import { JsonEncoder } from './json-encoder.ts';
import { ProtobufEncoder } from './protobuf-encoder.ts';
import { TableEncoder } from './table-encoder.ts';

/** The encoder for what a watch negotiated. @param now the cluster's time in milliseconds, for the ages in tables */
export async function eventEncoder(view: ViewContext, now: ClusterClock['now']): Promise<EventEncoder> {
  const { negotiated } = view;
  if (negotiated.projection !== 'metadata-list') return objectEncoder(view, now);
  return new SilentEncoder(
    await objectEncoder({ ...view, negotiated: { ...negotiated, projection: 'metadata' } }, now),
  );
}

async function objectEncoder(view: ViewContext, now: ClusterClock['now']): Promise<EventEncoder> {
  const { encoding, projection } = view.negotiated;
  if (encoding === 'protobuf') return new ProtobufEncoder(view);
  if (encoding === 'cbor') return new (await import('./cbor-encoder.ts')).CborEncoder(view);
  return projection === 'table' ? new TableEncoder(view, now) : new JsonEncoder(view);
}

/** A metadata-list watch stays open and sends nothing but errors, as in kube-apiserver. */
class SilentEncoder implements EventEncoder {
  readonly text: boolean;
  readonly contentType: string;
  readonly form = 'silent';
  constructor(private readonly errors: EventEncoder) {
    this.text = errors.text;
    this.contentType = errors.contentType;
  }
  event(): Uint8Array {
    return NOTHING;
  }
  bookmark(): Uint8Array {
    return NOTHING;
  }
  error(error: ApiError): Uint8Array {
    return this.errors.error(error);
  }
}
const NOTHING = new Uint8Array(0);
