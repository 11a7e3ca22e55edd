import { list, optional, STRING } from '../types.ts';
import { declare, type Library, member, plain } from './library.ts';
import { NAMED_FORMAT } from './opaque-types.ts';

/** Named formats of strings. */
export const formatsLibrary: Library = {
  name: 'formats',
  since: 31,
  functions: [
    declare('format.byte', plain('format.byte', [], NAMED_FORMAT)),
    declare('format.datetime', plain('format.datetime', [], NAMED_FORMAT)),
    declare('format.date', plain('format.date', [], NAMED_FORMAT)),
    declare('format.dns1035LabelPrefix', plain('format.dns1035LabelPrefix', [], NAMED_FORMAT)),
    declare('format.dns1035Label', plain('format.dns1035Label', [], NAMED_FORMAT)),
    declare('format.dns1123LabelPrefix', plain('format.dns1123LabelPrefix', [], NAMED_FORMAT)),
    declare('format.dns1123Label', plain('format.dns1123Label', [], NAMED_FORMAT)),
    declare('format.dns1123SubdomainPrefix', plain('format.dns1123SubdomainPrefix', [], NAMED_FORMAT)),
    declare('format.dns1123Subdomain', plain('format.dns1123Subdomain', [], NAMED_FORMAT)),
    declare('format.labelValue', plain('format.labelValue', [], NAMED_FORMAT)),
    declare('format.named', plain('format-named', [STRING], optional(NAMED_FORMAT))),
    declare('format.qualifiedName', plain('format.qualifiedName', [], NAMED_FORMAT)),
    declare('format.uri', plain('format.uri', [], NAMED_FORMAT)),
    declare('format.uuid', plain('format.uuid', [], NAMED_FORMAT)),
    declare('validate', member('format-validate', NAMED_FORMAT, [STRING], optional(list(STRING)))),
  ],
};
