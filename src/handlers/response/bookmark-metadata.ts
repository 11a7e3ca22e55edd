import { encodeEnvelope } from '../../codec/envelope.ts';
import { encodeMessage } from '../../codec/protobuf.ts';
import { emptyMetadata } from '../../model/empty-metadata.ts';
import type { Life } from '../../model/life.ts';
import type { TypeModel } from '../../model/type-model.ts';
import type { ViewContext } from './view-context.ts';

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';
/** Annotation with the empty list to which the initial events belong, encoded like the events, in base64. */
export const LIST_BLUEPRINT = 'kubernetes.io/initial-events-list-blueprint';

/** The releases that tell clients the form of an empty list. */
const HAS_BLUEPRINT: Life = { until: '1.34' };

/**
 * Metadata of a bookmark: the resource version and, if set, the annotation for the end of the initial events.
 */
export function bookmarkMetadata(
  { resource: { row, apiVersion, schema, types }, negotiated }: ViewContext,
  revision: number,
  initialEnd: boolean,
): object {
  const metadata = { resourceVersion: String(revision), ...emptyMetadata(types) };
  if (!initialEnd) return metadata;
  if (!types.has(HAS_BLUEPRINT)) return { ...metadata, annotations: { [INITIAL_EVENTS_END]: 'true' } };
  const kind = negotiated.projection === 'metadata' ? 'PartialObjectMetadataList' : row.listKind;
  const version = negotiated.projection === 'metadata' ? `meta.k8s.io/${negotiated.metaVersion}` : apiVersion;
  const blueprint =
    negotiated.encoding === 'protobuf'
      ? encodeEnvelope(version, kind, encodeMessage(emptyListType(types, version), {})).toString('base64')
      : Buffer.from(
          `${JSON.stringify(emptyList(version, kind, negotiated.projection === 'object' && schema.isUntyped))}\n`,
        ).toString('base64');
  return {
    ...metadata,
    annotations: { [INITIAL_EVENTS_END]: 'true', [LIST_BLUEPRINT]: blueprint },
  };
}

/**
 * The message type of an empty list. Every list has its metadata in field 1, except the v1beta1 list of
 * PartialObjectMetadata, which has it in field 2.
 */
const emptyListType = (types: TypeModel, version: string) =>
  types.type(
    version === 'meta.k8s.io/v1beta1' ? 'meta_v1beta1.PartialObjectMetadataList' : 'core_v1.PodList',
  );

const emptyList = (apiVersion: string, kind: string, isUntyped: boolean): object =>
  isUntyped ? { apiVersion, items: [], kind } : { kind, apiVersion, metadata: {}, items: null };
