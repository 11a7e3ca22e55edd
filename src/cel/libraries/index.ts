import { AUTHORIZER_FUNCTIONS } from './authorizer.ts';
import { CIDRS } from './cidr.ts';
import { COMPREHENSIONS } from './comprehensions.ts';
import { CONVERSIONS } from './conversions.ts';
import { NAMED_FORMATS } from './formats.ts';
import { FunctionTable } from './function.ts';
import { IPS } from './ip.ts';
import { JSON_PATCHES } from './json-patch.ts';
import { LISTS } from './lists.ts';
import { OPERATORS } from './operators.ts';
import { OPTIONALS } from './optionals.ts';
import { QUANTITIES } from './quantity.ts';
import { REGEX } from './regex.ts';
import { SETS } from './sets.ts';
import { STANDARD } from './standard.ts';
import { STRINGS } from './strings.ts';
import { TIMES } from './times.ts';
import { URLS } from './url.ts';

/**
 * Every function of the reference's environments. The checker restricts which of them an expression can use.
 */
export const FUNCTIONS = new FunctionTable([
  OPERATORS,
  STANDARD,
  CONVERSIONS,
  TIMES,
  OPTIONALS,
  STRINGS,
  LISTS,
  REGEX,
  SETS,
  COMPREHENSIONS,
  URLS,
  QUANTITIES,
  IPS,
  CIDRS,
  NAMED_FORMATS,
  AUTHORIZER_FUNCTIONS,
  JSON_PATCHES,
]);
