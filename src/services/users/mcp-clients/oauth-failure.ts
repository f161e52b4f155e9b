import { Forbidden, TooManyRequests } from "../../../platform/http/errors.ts";

type Code =
  | "invalid_client"
  | "invalid_grant"
  | "invalid_request"
  | "invalid_target"
  | "unsupported_grant_type";

/** A refusal in the words of OAuth. Source: RFC 6749, section 5.2; RFC 8707. */
export class OAuthFailure extends Error {
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.code = code;
  }
}

export function invalidGrant(): OAuthFailure {
  return new OAuthFailure(
    "invalid_grant",
    "The code or token is not valid any more. Sign in again.",
  );
}

/** The value of a parameter. @throws OAuthFailure `invalid_request` without one. */
export function required(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (value) return value;
  throw new OAuthFailure("invalid_request", `The request lacks ${name}. Send it.`);
}

export function registrationClosed(): Forbidden {
  return new Forbidden(
    "registration_closed",
    "Clients cannot register here. Use one with a client ID metadata document, or ask the operator.",
  );
}

export function clientsLimited(retryAfterMs: number): TooManyRequests {
  return new TooManyRequests(
    "mcp_clients_limited",
    "Clients of MCP ask too often. Try again later.",
    retryAfterMs,
  );
}
