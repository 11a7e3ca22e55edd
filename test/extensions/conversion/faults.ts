import { answering, type Behaviour, type Review } from './converter-server.ts';

const objects = (change: (object: Review) => Review): Behaviour =>
  answering((review) => {
    review.response.convertedObjects = review.response.convertedObjects.map(
      (object: object) => change(structuredClone(object)) ?? object,
    );
  });
const metadata = (change: (metadata: Review) => void): Behaviour =>
  objects((object) => {
    change(object.metadata);
    return object;
  });
export const response = (change: (response: Review) => void): Behaviour =>
  answering((review) => change(review.response));

/** Texts of kube-apiserver 1.32 for each way in which a webhook may answer wrongly. */
export const FAULTS: Record<string, [Behaviour, string]> = {
  'wrong uid': [
    response((r) => {
      r.uid = 'other';
    }),
    ' failed: expected response.uid="<uid>", got "other"',
  ],
  'no uid': [
    response((r) => {
      delete r.uid;
    }),
    ' failed: expected response.uid="<uid>", got ""',
  ],
  'no response': [
    answering((w) => {
      delete w.response;
    }),
    ' failed: no response provided',
  ],
  'no result': [
    response((r) => {
      delete r.result;
    }),
    " failed: response.result.status was '', not 'Success'",
  ],
  'failure without message': [
    response((r) => {
      r.result = { status: 'Failure' };
    }),
    " failed: response.result.status was 'Failure', not 'Success'",
  ],
  'failure with message and code': [
    response((r) => {
      r.result = { status: 'Failure', message: 'no luck', code: 422 };
    }),
    ' failed: no luck',
  ],
  'odd status': [
    response((r) => {
      r.result.status = 'success';
    }),
    " failed: response.result.status was 'success', not 'Success'",
  ],
  'another review version': [
    answering((w) => {
      w.apiVersion = 'apiextensions.k8s.io/v1beta1';
    }),
    ' failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion',
  ],
  'unknown review version': [
    answering((w) => {
      w.apiVersion = 'apiextensions.k8s.io/v9';
    }),
    ' failed: no kind "ConversionReview" is registered for version "apiextensions.k8s.io/v9" in scheme "pkg/runtime/scheme.go:100"',
  ],
  'no review version': [
    answering((w) => {
      delete w.apiVersion;
      delete w.kind;
    }),
    ' failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=',
  ],
  'another kind': [
    answering((w) => {
      w.kind = 'Other';
    }),
    ' failed: no kind "Other" is registered for version "apiextensions.k8s.io/v1" in scheme "pkg/runtime/scheme.go:100"',
  ],
  'a Status': [
    () => ({ body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'not now' } }),
    ' failed: converting (v1.Status) to (v1.ConversionReview): unknown conversion',
  ],
  'fewer objects': [
    response((r) => {
      r.convertedObjects = [];
    }),
    ' returned 0 objects, expected 1',
  ],
  'more objects': [
    response((r) => {
      r.convertedObjects.push(r.convertedObjects[0]);
    }),
    ' returned 2 objects, expected 1',
  ],
  'objects null': [
    response((r) => {
      r.convertedObjects = null;
    }),
    ' returned 0 objects, expected 1',
  ],
  'objects of another type': [
    response((r) => {
      r.convertedObjects = 'x';
    }),
    ' failed: json: cannot unmarshal string into Go struct field ConversionResponse.response.convertedObjects of type []runtime.RawExtension',
  ],
  'response of another type': [
    answering((w) => {
      w.response = 'x';
    }),
    ' failed: json: cannot unmarshal string into Go struct field ConversionReview.response of type v1.ConversionResponse',
  ],
  'another kind of object': [
    objects((o) => ({ ...o, kind: 'Other' })),
    ' returned invalid object at index 0: invalid kind (expected Thing, received Other)',
  ],
  'not converted': [
    objects((o) => ({ ...o, apiVersion: 'example.com/v1' })),
    ' returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v1)',
  ],
  'a list in place of an object': [
    objects((o) => ({ apiVersion: o.apiVersion, kind: 'ThingList', items: [o] })),
    ' returned invalid object at index 0: invalid kind (expected Thing, received ThingList)',
  ],
  'no metadata': [
    objects(({ metadata: _, ...o }) => o),
    ' returned invalid object: must have the same name: one != ',
  ],
  'name changed': [
    metadata((m) => {
      m.name = 'other';
    }),
    ' returned invalid object: must have the same name: one != other',
  ],
  'namespace changed': [
    metadata((m) => {
      m.namespace = 'other';
    }),
    ' returned invalid object: must have the same namespace: default != other',
  ],
  'uid changed': [
    metadata((m) => {
      m.uid = 'other';
    }),
    ' returned invalid object: must have the same UID: uid-of-one != other',
  ],
  'uid removed': [
    metadata((m) => {
      delete m.uid;
    }),
    ' returned invalid object: must have the same UID: uid-of-one != ',
  ],
  'bad labels': [
    metadata((m) => {
      m.labels = { 'b d': 'x' };
      m.annotations = { 'b d': 'x' };
    }),
    ` returned invalid metadata: metadata.labels: Invalid value: "b d": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
  'label of another type': [
    metadata((m) => {
      m.labels = { a: 1 };
    }),
    ' returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object',
  ],
  'labels of another type': [
    metadata((m) => {
      m.labels = ['a'];
    }),
    ' returned invalid metadata: invalid metadata.labels of type []interface {} in converted object',
  ],
  'HTTP 404': [
    () => ({
      status: 404,
      body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'not here', code: 404 },
    }),
    ' failed: not here',
  ],
  'HTTP 500': [
    () => ({ status: 500, headers: { 'content-type': 'text/plain' }, body: 'broken\n' }),
    ' failed: an error on the server ("broken") has prevented the request from succeeding',
  ],
  'HTTP 503': [
    () => ({ status: 503, headers: { 'content-type': 'text/plain' }, body: 'busy' }),
    ' failed: the server is currently unable to handle the request',
  ],
  'HTTP 302': [
    () => ({ status: 302, headers: { location: 'https://127.0.0.1:1/' }, body: '' }),
    ' failed: the server responded with the status code 302 but did not return more information',
  ],
  'no JSON': [
    () => ({ body: 'this is not JSON' }),
    ` failed: couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
  ],
  'half JSON': [
    () => ({ body: '{"a":' }),
    " failed: couldn't get version/kind; json parse error: unexpected end of JSON input",
  ],
  'large text': [
    () => ({ body: 'x'.repeat(100_000) }),
    " failed: couldn't get version/kind; json parse error: invalid character 'x' looking for beginning of value",
  ],
  'many values': [
    () => ({ body: `{"a":[${'{},'.repeat(1_100_000)}{}]}` }),
    ' failed: the response has more than 1000000 values',
  ],
  'large body': [
    () => ({ body: `{"a":"${'x'.repeat(9 << 20)}"}` }),
    ' failed: Post "<url>/convert?timeout=30s": the response is longer than 8388608 bytes',
  ],
  'empty body': [
    () => ({ body: '' }),
    ' failed: 0-length response with status code: 200 and content type: application/json',
  ],
  'JSON of another kind': [
    () => ({ body: { a: 1 } }),
    ' failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=',
  ],
  'connection cut': [() => ({ abort: true }), ' failed: Post "<url>/convert?timeout=30s": EOF'],
};
