/** A type as a value: what `type(x)` gives. Two are equal when their names are. */
export class TypeValue {
  readonly kind = 'type';
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}
