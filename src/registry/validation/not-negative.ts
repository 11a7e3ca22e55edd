/** What is said of a number below zero where none may be. */
export const NOT_NEGATIVE = 'must be greater than or equal to 0';
