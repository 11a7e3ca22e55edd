// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type Event = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  eventTime?: string | null;
  series?: EventSeries;
  reportingController?: string;
  reportingInstance?: string;
  action?: string;
  reason?: string;
  regarding?: coreV1.ObjectReference;
  related?: coreV1.ObjectReference;
  note?: string;
  type?: string;
  deprecatedSource?: coreV1.EventSource;
  deprecatedFirstTimestamp?: string | null;
  deprecatedLastTimestamp?: string | null;
  deprecatedCount?: number;
};

export type EventList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: Event[];
};

export interface EventSeries {
  count?: number;
  lastObservedTime?: string | null;
}
