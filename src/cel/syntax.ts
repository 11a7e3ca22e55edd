/**
 * The syntax tree of an expression after macro expansion: plain immutable data. `id` is unique within one
 * expression. Positions are stored separately (`ParsedExpression.positions`), so that trees of the same
 * meaning differ only in their ids.
 */
export type Expression =
  | Literal
  | Identifier
  | Select
  | Call
  | ListLiteral
  | MapLiteral
  | MessageLiteral
  | Comprehension;

/**
 * A constant as written. `int` and `uint` are bigint to keep full precision until the planner chooses a
 * representation.
 */
export type Constant =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int' | 'uint'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array };

export interface Literal {
  readonly kind: 'literal';
  readonly id: number;
  readonly constant: Constant;
}

export interface Identifier {
  readonly kind: 'identifier';
  readonly id: number;
  /** Keeps a leading dot (absolute name). */
  readonly name: string;
}

/**
 * `operand.field`; `testOnly` for `has(operand.field)`. The optional form `operand.?field` is a call of
 * `_?._`.
 */
export interface Select {
  readonly kind: 'select';
  readonly id: number;
  readonly operand: Expression;
  readonly field: string;
  readonly testOnly: boolean;
}

/**
 * Operators are calls by their internal names: `_+_`, `_&&_`, `_?_:_`, `_[_]`, `@in`, `!_`, `-_`, `_?._`,
 * `_[?_]`, `@not_strictly_false`.
 */
export interface Call {
  readonly kind: 'call';
  readonly id: number;
  readonly function: string;
  readonly target: Expression | undefined;
  readonly arguments: readonly Expression[];
}

export interface ListLiteral {
  readonly kind: 'list';
  readonly id: number;
  readonly elements: readonly Expression[];
  /** Indices of elements written `?element`, ascending. */
  readonly optionalIndices: readonly number[];
}

export interface MapEntry {
  readonly id: number;
  readonly key: Expression;
  readonly value: Expression;
  /** Written `?key: value`. */
  readonly optional: boolean;
}

export interface MapLiteral {
  readonly kind: 'map';
  readonly id: number;
  readonly entries: readonly MapEntry[];
}

export interface MessageField {
  readonly id: number;
  readonly name: string;
  readonly value: Expression;
  readonly optional: boolean;
}

/** `Type{field: value}`. */
export interface MessageLiteral {
  readonly kind: 'message';
  readonly id: number;
  readonly type: string;
  readonly fields: readonly MessageField[];
}

/**
 * The expansion of the comprehension macros: for every element of `range`, while `condition` is true, the
 * accumulator is set to `step`; the value is `result`.
 */
export interface Comprehension {
  readonly kind: 'comprehension';
  readonly id: number;
  readonly range: Expression;
  /** The element (list) or key (map) of one-variable forms; the index or key of two-variable forms. */
  readonly variable: string;
  /** The element or value of two-variable forms. */
  readonly secondVariable: string | undefined;
  readonly accumulator: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** An expression that parsed. */
export interface ParsedExpression {
  readonly source: string;
  readonly root: Expression;
  /** By expression id: the offset, in code points, that errors about the node refer to. */
  readonly positions: ReadonlyMap<number, number>;
  /** By the id of an expanded macro's result: the call as written, for messages that quote the source. */
  readonly macroCalls: ReadonlyMap<number, Call>;
}
