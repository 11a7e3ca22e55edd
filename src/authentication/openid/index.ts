export type { IssuerConfiguration } from './compiled.ts';
export { authenticatorFromFlags } from './flags.ts';
export { createIssuers, type Issuers } from './issuers.ts';
export { compileConfiguration } from './validate.ts';
