/** Kinds of the group authentication.k8s.io. */
export const AUTHENTICATION: Readonly<Record<string, string>> = {
  SelfSubjectReview: 'Returns the user information of the requesting user.',
  TokenReview: 'Authenticates a token.',
  TokenRequestStatus: 'Result of a request for a token.',
  'TokenRequestStatus.token': 'The token. It is not stored.',
  'TokenRequestStatus.expirationTimestamp': 'Time at which the token expires.',
  TokenRequestSpec: 'Properties of the requested token.',
  'TokenRequestSpec.audiences':
    'Audiences of the token: a recipient must find itself among them. Empty means the audiences of the API server.',
  'TokenRequestSpec.expirationSeconds':
    'Requested lifetime in seconds, at least 600. The server may choose another. Default: 3600.',
  'TokenRequestSpec.boundObjectRef': 'Object with whose deletion the token becomes invalid.',
  'TokenRequestSpec.attestations': 'Named values that are put into the token and proven by an attestation.',
  BoundObjectReference: 'Object to which a token is bound: Pod, Secret or Node.',
  'BoundObjectReference.kind': 'Pod, Secret or Node.',
  'BoundObjectReference.apiVersion': 'API version of the object: v1.',
  'BoundObjectReference.name': 'Name of the object.',
  'BoundObjectReference.uid': 'UID of the object. If it is set, it must be that of the present object.',
  SelfSubjectReviewStatus: 'Who the server takes the user for.',
  'SelfSubjectReviewStatus.userInfo': 'Attributes of the user who sent the request.',
  UserInfo: 'Attributes of a user.',
  'UserInfo.username': 'Name of the user, unique among active users.',
  'UserInfo.uid': 'Identifier that tells users with the same name at different times apart.',
  'UserInfo.groups': 'Groups of the user.',
  'UserInfo.extra': 'Further attributes from the authenticator.',
  TokenReviewStatus: 'Result of checking a token.',
  'TokenReviewStatus.authenticated': 'Whether the token belongs to a known user.',
  'TokenReviewStatus.user': 'The user of the token.',
  'TokenReviewStatus.audiences':
    'Audiences of the request that the token is for. A client that asked for audiences must find one here.',
  'TokenReviewStatus.error': 'Why the token could not be checked.',
  TokenReviewSpec: 'Token to check.',
  'TokenReviewSpec.token': 'The bearer token.',
  'TokenReviewSpec.audiences':
    'Audiences of which one must be in the token. Default: the audience of the API server.',
};
