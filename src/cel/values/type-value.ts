/** A type as a value, returned by `type(x)`. Types are equal when their names are. */
export class TypeValue {
  readonly kind = 'type';
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}
