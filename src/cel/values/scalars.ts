/** A 64-bit floating point number. */
export class Double {
  readonly kind = 'double';
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** An unsigned 64-bit integer. */
export class Uint {
  readonly kind = 'uint';
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** A byte string. */
export class Bytes {
  readonly kind = 'bytes';
  readonly data: Uint8Array;

  constructor(data: Uint8Array) {
    this.data = data;
  }
}
