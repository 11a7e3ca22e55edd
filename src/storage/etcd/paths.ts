/** The methods of etcd's API that the store calls. */
export const RANGE = '/etcdserverpb.KV/Range';
export const TXN = '/etcdserverpb.KV/Txn';
export const COMPACT = '/etcdserverpb.KV/Compact';
export const PUT = '/etcdserverpb.KV/Put';
export const TIME_TO_LIVE = '/etcdserverpb.Lease/LeaseTimeToLive';
export const GRANT = '/etcdserverpb.Lease/LeaseGrant';
export const STATUS = '/etcdserverpb.Maintenance/Status';
export const WATCH = '/etcdserverpb.Watch/Watch';

/** The server ends a watch's stream when its member loses the leader. */
export const WATCH_METADATA = { hasleader: 'true' };
