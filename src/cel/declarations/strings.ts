import { DYN, INT, list, STRING } from '../types.ts';
import { declare, type Library, member, plain } from './library.ts';

/** Functions of strings. */
export const stringsLibrary: Library = {
  name: 'strings',
  since: 29,
  functions: [
    declare('charAt', member('string_char_at_int', STRING, [INT], STRING)),
    declare('format', member('string_format', STRING, [list(DYN)], STRING)),
    declare(
      'indexOf',
      member('string_index_of_string', STRING, [STRING], INT),
      member('string_index_of_string_int', STRING, [STRING, INT], INT),
    ),
    declare(
      'join',
      member('list_join', list(STRING), [], STRING),
      member('list_join_string', list(STRING), [STRING], STRING),
    ),
    declare(
      'lastIndexOf',
      member('string_last_index_of_string', STRING, [STRING], INT),
      member('string_last_index_of_string_int', STRING, [STRING, INT], INT),
    ),
    declare('lowerAscii', member('string_lower_ascii', STRING, [], STRING)),
    declare(
      'replace',
      member('string_replace_string_string', STRING, [STRING, STRING], STRING),
      member('string_replace_string_string_int', STRING, [STRING, STRING, INT], STRING),
    ),
    declare(
      'split',
      member('string_split_string', STRING, [STRING], list(STRING)),
      member('string_split_string_int', STRING, [STRING, INT], list(STRING)),
    ),
    declare('strings.quote', plain('strings_quote', [STRING], STRING)),
    declare(
      'substring',
      member('string_substring_int', STRING, [INT], STRING),
      member('string_substring_int_int', STRING, [INT, INT], STRING),
    ),
    declare('trim', member('string_trim', STRING, [], STRING)),
    declare('upperAscii', member('string_upper_ascii', STRING, [], STRING)),
  ],
};
