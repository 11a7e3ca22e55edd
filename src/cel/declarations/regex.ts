import { INT, list, STRING } from '../types.ts';
import { declare, type Library, member } from './library.ts';

/** Functions that search with regular expressions. */
export const regexLibrary: Library = {
  name: 'regex',
  since: 0,
  functions: [
    declare(
      'findAll',
      member('string_find_all_string', STRING, [STRING], list(STRING)),
      member('string_find_all_string_int', STRING, [STRING, INT], list(STRING)),
    ),
    declare('find', member('string_find_string', STRING, [STRING], STRING)),
  ],
};
