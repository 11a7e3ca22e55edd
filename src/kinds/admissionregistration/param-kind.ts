import { column } from '../tables/define.ts';

/** Column of the kind of a policy's parameters. */
export const PARAM_KIND = column('ParamKind', 'Kind of the parameters.');

/** Formats the kind of the parameters. */
export const paramKind = (kind: { apiVersion?: string; kind?: string } | undefined): string =>
  kind === undefined ? '<unset>' : `${kind.apiVersion ?? ''}/${kind.kind ?? ''}`;
