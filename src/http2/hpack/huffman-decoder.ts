import { HpackError } from './errors.ts';
import { CODE_LENGTHS, CODES, END_OF_STRING } from './huffman-code.ts';
import { latin1 } from './latin1.ts';

/*
 * The decoder is an automaton that reads four bits a step. A state is an inner node of the code tree; state 0 is
 * the root. No code is shorter than five bits, so that a step completes at most one symbol.
 */
const NEXT_STATE = 0xff;
const SYMBOL_SHIFT = 8;
/** The step completes a symbol, in bits 8 to 15. */
const EMITS = 1 << 16;
/** A string may end after this step: less than a byte of padding, which is the start of the end code. */
const ACCEPTS = 1 << 17;
/** The step completes the end code, which no string may contain. */
const FAILS = 1 << 18;

/** A step by state and the next four bits: `state << 4 | bits`. */
const STEPS = buildSteps();

interface Node {
  /** By bit: the index of an inner node, or `-1 - symbol`. */
  readonly children: [number, number];
  readonly isPadding: boolean;
}

function buildTree(): Node[] {
  const nodes: Node[] = [{ children: [0, 0], isPadding: true }];
  for (let symbol = 0; symbol < CODES.length; symbol += 1) {
    const code = CODES[symbol]!;
    let node = nodes[0]!;
    for (let bit = CODE_LENGTHS[symbol]! - 1; bit > 0; bit -= 1) {
      const branch = (code >>> bit) & 1;
      if (node.children[branch] === 0) {
        node.children[branch] = nodes.length;
        const depth = CODE_LENGTHS[symbol]! - bit;
        nodes.push({ children: [0, 0], isPadding: node.isPadding && branch === 1 && depth < 8 });
      }
      node = nodes[node.children[branch]!]!;
    }
    node.children[code & 1] = -1 - symbol;
  }
  return nodes;
}

function buildSteps(): Int32Array {
  const nodes = buildTree();
  const steps = new Int32Array(nodes.length << 4);
  for (let state = 0; state < nodes.length; state += 1)
    for (let bits = 0; bits < 16; bits += 1) {
      let flags = 0;
      let at = state;
      for (let bit = 3; bit >= 0 && flags !== FAILS; bit -= 1) {
        at = nodes[at]!.children[(bits >> bit) & 1]!;
        if (at >= 0) continue;
        const symbol = -1 - at;
        flags = symbol === END_OF_STRING ? FAILS : EMITS | (symbol << SYMBOL_SHIFT);
        at = 0;
      }
      if (nodes[at]!.isPadding) flags |= ACCEPTS;
      steps[(state << 4) | bits] = flags | at;
    }
  return steps;
}

/** Kept between strings; longer strings have a buffer of their own, so that one of them pins no memory. */
const KEPT_BYTES = 64 << 10;
const kept = Buffer.allocUnsafeSlow(KEPT_BYTES);

/**
 * Decodes a Huffman-coded string (RFC 7541, section 5.2) to one character per byte.
 * @throws HpackError for the end code and for padding that is not a part of it or has a whole byte
 */
export function decodeHuffman(bytes: Uint8Array, start: number, end: number): string {
  // A symbol has at least five bits.
  const most = Math.ceil(((end - start) * 8) / 5);
  const decoded = most <= KEPT_BYTES ? kept : Buffer.allocUnsafeSlow(most);
  const steps = STEPS;
  let written = 0;
  let step = ACCEPTS;
  for (let position = start; position < end; position += 1) {
    const byte = bytes[position]!;
    step = steps[((step & NEXT_STATE) << 4) | (byte >> 4)]!;
    if (step >= EMITS) {
      if (step >= FAILS) throw new HpackError('a Huffman-coded string contains the end code');
      if ((step & EMITS) !== 0) decoded[written++] = (step >> SYMBOL_SHIFT) & 0xff;
    }
    step = steps[((step & NEXT_STATE) << 4) | (byte & 0xf)]!;
    if (step >= EMITS) {
      if (step >= FAILS) throw new HpackError('a Huffman-coded string contains the end code');
      if ((step & EMITS) !== 0) decoded[written++] = (step >> SYMBOL_SHIFT) & 0xff;
    }
  }
  if ((step & ACCEPTS) === 0) throw new HpackError('a Huffman-coded string has invalid padding');
  return latin1(decoded, 0, written);
}
