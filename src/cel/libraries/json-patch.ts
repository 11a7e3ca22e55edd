import type { CelFunction } from './function.ts';

/** Functions for the paths of JSON patches. */
export const JSON_PATCHES: readonly CelFunction[] = [
  {
    name: 'jsonpatch.escapeKey',
    overloads: [
      {
        id: 'string_jsonpatch_escapeKey_string',
        arguments: ['string'],
        invoke: (_frame, key) => (key as string).replaceAll('~', '~0').replaceAll('/', '~1'),
      },
    ],
  },
];
