// Written by scripts/generate-types.mjs: change the declarations in ../types instead.

export type PodSecurityConfiguration = {
  apiVersion?: string;
  kind?: string;
  defaults?: PodSecurityDefaults;
  exemptions?: PodSecurityExemptions;
};

export interface PodSecurityDefaults {
  enforce?: string;
  'enforce-version'?: string;
  audit?: string;
  'audit-version'?: string;
  warn?: string;
  'warn-version'?: string;
}

export interface PodSecurityExemptions {
  usernames?: string[];
  namespaces?: string[];
  runtimeClasses?: string[];
}
