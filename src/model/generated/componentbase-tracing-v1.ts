// Written by scripts/generate-types.mjs: change the declarations in ../types instead.

export interface TracingConfiguration {
  endpoint?: string;
  samplingRatePerMillion?: number;
}
