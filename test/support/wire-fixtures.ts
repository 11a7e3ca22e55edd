import { decodeEnvelope } from '../../src/codec/envelope.ts';
import { parseApiVersion } from '../../src/model/object.ts';
import type { MessageType } from '../../src/schema/message.ts';
import { recorded } from './recorded.ts';
import { kindType, messageType } from './types.ts';

/** One object as encoded by kube-apiserver: every field set, in both encodings. */
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

interface RecordedPair {
  readonly name: string;
  readonly protobuf: string;
  readonly json: string;
}

/** The recorded objects of all kinds in the type model. */
export const wireFixtures: readonly WireFixture[] = recorded<RecordedPair[]>('wire').flatMap(
  ({ name, json, ...encoded }) => {
    const protobuf = Buffer.from(encoded.protobuf, 'base64');
    const { apiVersion, kind } = decodeEnvelope(protobuf);
    const { group, version } = parseApiVersion(apiVersion)!;
    // Only watch events are sent without apiVersion and kind.
    const type = kind === '' ? messageType('meta_v1.WatchEvent') : kindType(group, version, kind);
    if (type === undefined) return [];
    return [{ name, apiVersion, kind, type, protobuf, json: json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1') }];
  },
);
