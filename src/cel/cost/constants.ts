/** The cost of an authorization check. */
export const AUTHORIZATION_CHECK = 350_000;

export const LIST_LITERAL = 10;
export const MAP_LITERAL = 30;
export const MESSAGE_LITERAL = 40;
