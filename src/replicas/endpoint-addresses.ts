import type { Endpoints } from '../model/generated/core-v1.ts';

/** The addresses of Endpoints, in their order. */
export const addressesOf = (endpoints: Endpoints | undefined): string[] =>
  (endpoints?.subsets ?? []).flatMap(({ addresses = [] }) => addresses.map(({ ip = '' }) => ip));
