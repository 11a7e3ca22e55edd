/** Where a store says under which minor version of Kubernetes it was written last. */
export interface ReleaseRecord {
  /** For errors and the log: the directory, or the prefix of etcd. */
  readonly place: string;
  /** For example `1.34`; undefined for a store that was written by other programs, or before there was a record. */
  read(): Promise<string | undefined>;
  write(minor: string): Promise<void>;
}
