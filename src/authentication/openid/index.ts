export type { IssuerConfiguration } from './compiled.ts';
export { authenticatorOfFlags } from './flags.ts';
export { createIssuers, type Issuers } from './issuers.ts';
export { compileConfiguration } from './validate.ts';
