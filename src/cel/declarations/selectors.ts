import { STRING } from '../types.ts';
import { declare, type Library, member } from './library.ts';
import { RESOURCE_CHECK } from './opaque-types.ts';

/** Field and label selectors of an authorization check. */
export const selectorsLibrary: Library = {
  name: 'selectors',
  since: 31,
  functions: [
    declare('fieldSelector', member('authorizer_fieldselector', RESOURCE_CHECK, [STRING], RESOURCE_CHECK)),
    declare('labelSelector', member('authorizer_labelselector', RESOURCE_CHECK, [STRING], RESOURCE_CHECK)),
  ],
};
