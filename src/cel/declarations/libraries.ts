import { authorizerLibrary } from './authorizer.ts';
import { cidrLibrary } from './cidr.ts';
import { conversionsLibrary } from './conversions.ts';
import { crossTypeOrderingLibrary } from './cross-type-ordering.ts';
import { formatsLibrary } from './formats.ts';
import { ipLibrary } from './ip.ts';
import type { Library } from './library.ts';
import { listsLibrary } from './lists.ts';
import { operatorsLibrary } from './operators.ts';
import { optionalsLibrary } from './optionals.ts';
import { quantitiesLibrary } from './quantities.ts';
import { regexLibrary } from './regex.ts';
import { selectorsLibrary } from './selectors.ts';
import { setsLibrary } from './sets.ts';
import { standardLibrary } from './standard.ts';
import { stringsLibrary } from './strings.ts';
import { timesLibrary } from './times.ts';
import { twoVariableComprehensionsLibrary } from './two-variable-comprehensions.ts';
import { urlsLibrary } from './urls.ts';

/** All libraries, in the order in which overloads are tried. */
export const LIBRARIES: readonly Library[] = [
  operatorsLibrary,
  conversionsLibrary,
  standardLibrary,
  timesLibrary,
  urlsLibrary,
  regexLibrary,
  listsLibrary,
  authorizerLibrary,
  crossTypeOrderingLibrary,
  optionalsLibrary,
  quantitiesLibrary,
  stringsLibrary,
  setsLibrary,
  ipLibrary,
  cidrLibrary,
  formatsLibrary,
  selectorsLibrary,
  twoVariableComprehensionsLibrary,
];
