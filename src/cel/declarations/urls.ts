import { BOOL, list, map, STRING } from '../types.ts';
import { declare, type Library, member, plain } from './library.ts';
import { URL_TYPE } from './opaque-types.ts';

/** URLs. */
export const urlsLibrary: Library = {
  name: 'urls',
  since: 0,
  functions: [
    declare('getEscapedPath', member('url_get_escaped_path', URL_TYPE, [], STRING)),
    declare('getHostname', member('url_get_hostname', URL_TYPE, [], STRING)),
    declare('getHost', member('url_get_host', URL_TYPE, [], STRING)),
    declare('getPort', member('url_get_port', URL_TYPE, [], STRING)),
    declare('getQuery', member('url_get_query', URL_TYPE, [], map(STRING, list(STRING)))),
    declare('getScheme', member('url_get_scheme', URL_TYPE, [], STRING)),
    declare('isURL', plain('is_url_string', [STRING], BOOL)),
    declare('url', plain('string_to_url', [STRING], URL_TYPE)),
  ],
};
