import { BOOL, DOUBLE, INT, STRING } from '../types.ts';
import { declare, type Library, member, plain } from './library.ts';
import { QUANTITY } from './opaque-types.ts';

/** Resource quantities. */
export const quantitiesLibrary: Library = {
  name: 'quantities',
  since: 28,
  functions: [
    declare(
      'add',
      member('quantity_add', QUANTITY, [QUANTITY], QUANTITY),
      member('quantity_add_int', QUANTITY, [INT], QUANTITY),
    ),
    declare('asApproximateFloat', member('quantity_get_float', QUANTITY, [], DOUBLE)),
    declare('asInteger', member('quantity_get_int', QUANTITY, [], INT)),
    declare('compareTo', member('quantity_compare_to', QUANTITY, [QUANTITY], INT)),
    declare('isGreaterThan', member('quantity_is_greater_than', QUANTITY, [QUANTITY], BOOL)),
    declare('isInteger', member('quantity_is_integer', QUANTITY, [], BOOL)),
    declare('isLessThan', member('quantity_is_less_than', QUANTITY, [QUANTITY], BOOL)),
    declare('isQuantity', plain('is_quantity_string', [STRING], BOOL)),
    declare('quantity', plain('string_to_quantity', [STRING], QUANTITY)),
    declare('sign', plain('quantity_sign', [QUANTITY], INT)),
    declare(
      'sub',
      member('quantity_sub', QUANTITY, [QUANTITY], QUANTITY),
      member('quantity_sub_int', QUANTITY, [INT], QUANTITY),
    ),
  ],
};
