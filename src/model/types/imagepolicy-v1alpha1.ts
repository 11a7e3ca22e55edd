import type { Declarations } from '../declare.ts';

export default {
  family: 'imagepolicy_v1alpha1',
  group: 'imagepolicy.k8s.io',
  version: 'v1alpha1',
  protobuf: 'k8s.io.api.imagepolicy.v1alpha1',
  unpublished: true,
  types: `
ImageReview kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 ImageReviewSpec required
  status 3 ImageReviewStatus

ImageReviewContainerSpec
  image 1 string

ImageReviewSpec
  containers 1 []ImageReviewContainerSpec list=atomic
  annotations 2 map:string
  namespace 3 string

ImageReviewStatus
  allowed 1 boolean required
  reason 2 string
  auditAnnotations 3 map:string
`,
} satisfies Declarations;
