/** A value in a plain tree that JSON does not have: no field accepts it. Its texts are Go's, for errors. */
export class ForeignValue {
  constructor(
    /** Go's `%v`. */
    readonly text: string,
    /** Go's `%#v`. */
    readonly syntax: string,
    /** Go's name of its type. */
    readonly type: string,
    /** Its form in protobuf's JSON values; undefined if it has none. */
    readonly json?: unknown,
  ) {}
}
