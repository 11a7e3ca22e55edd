// Written by scripts/generate-types.mjs: change the declarations in ../types instead.

export interface TypeMeta {
  apiVersion?: string;
  kind?: string;
}
