// Written by scripts/generate-types.mjs: change the declarations in ../types instead.

export type WebhookAdmission = {
  apiVersion?: string;
  kind?: string;
  kubeConfigFile?: string;
};
