/** Whose account it is: a user's, that by which the list of tools is read, or nobody's. */
export type Account = { userId: string } | "listing" | "nobody";

/** The headers of a request that only its sender's account has. */
export type SignInHeaders = Record<string, string>;
