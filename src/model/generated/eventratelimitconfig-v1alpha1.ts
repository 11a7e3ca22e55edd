// Written by scripts/generate-types.mjs: change the declarations in ../types instead.

export type Configuration = {
  apiVersion?: string;
  kind?: string;
  limits?: Limit[];
};

export interface Limit {
  type?: string;
  qps?: number;
  burst?: number;
  cacheSize?: number;
}
