/** A refusal in the words of OAuth. Source: RFC 6749, section 5.2; RFC 8707. */
export class OAuthFailure extends Error {
  readonly code: string;

  constructor(
    code: "invalid_grant" | "invalid_target" | "unsupported_grant_type",
    message: string,
  ) {
    super(message);
    this.code = code;
  }
}
