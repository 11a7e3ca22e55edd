import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { decodeEnvelope } from '../../src/codec/envelope.ts';
import { parseApiVersion } from '../../src/model/object.ts';
import { kindType, messageType } from '../../src/model/scheme.ts';
import type { MessageType } from '../../src/schema/message.ts';

/** One object as the reference writes it: every field filled, in both encodings. */
export interface WireFixture {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly type: MessageType;
  /** The enveloped protobuf form. */
  readonly protobuf: Buffer;
  /** The JSON form without white space between tokens. */
  readonly json: string;
}

const committed = new URL('../fixtures/wire/', import.meta.url);
/** All recorded pairs, where the facts are at hand. */
const recorded = new URL('../../../shared/facts/wire/', import.meta.url);

function read(directory: URL): WireFixture[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.pb'));
  return names.flatMap((name) => {
    const protobuf = readFileSync(new URL(name, directory));
    const { apiVersion, kind } = decodeEnvelope(protobuf);
    const { group, version } = parseApiVersion(apiVersion)!;
    // Watch events are the one message that travels without apiVersion and kind.
    const type = kind === '' ? messageType('meta_v1.WatchEvent') : kindType(group, version, kind);
    if (type === undefined) return [];
    const text = readFileSync(new URL(name.replace(/pb$/, 'json'), directory), 'utf8');
    return [{ name: name.slice(0, -3), apiVersion, kind, type, protobuf, json: text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1') }];
  });
}

/** The committed fixtures, or all recorded ones of the kinds that the model has. */
export const wireFixtures: readonly WireFixture[] = read(existsSync(recorded) ? recorded : committed);
