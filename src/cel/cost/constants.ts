/** Cost of reading one code point of a text, one byte, one element. */
export const TRAVERSAL = 0.1;

/** Cost of one code point of a regular expression, per unit of the text's cost. */
export const PATTERN = 0.25;

/** Cost of asking the authorizer. */
export const AUTHORIZATION_CHECK = 350_000;

export const LIST_LITERAL = 10;
export const MAP_LITERAL = 30;
export const MESSAGE_LITERAL = 40;
