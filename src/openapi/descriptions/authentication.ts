/** Kinds of the group authentication.k8s.io. */
export const AUTHENTICATION: Readonly<Record<string, string>> = {
  SelfSubjectReview: 'Returns the user information of the requesting user.',
  TokenReview: 'Authenticates a token.',
};
