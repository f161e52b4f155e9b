import { BadGateway, Unavailable } from "../../../platform/http/errors.ts";
import type { Leases } from "../../../platform/lease/leases.ts";
import { singleFlightByKey } from "../../../platform/single-flight.ts";
import type { ToolServer } from "../contract.ts";
import {
  type PersonalHeaders,
  personalHeaders,
  type PersonalHeadersDeps,
} from "../user-values/personal-headers.ts";
import { type Challenge, joinScopes, readChallenge } from "./challenge.ts";
import { hasResourceMetadata } from "./discover.ts";
import { type Asking, asking, type Named, type Reach } from "./reach.ts";
import { expiryOf } from "./sign-in.ts";
import type { Connection, Of, SignInStore } from "./store.ts";
import { refreshTokens, refusalOf, revokeTokens } from "./token-requests.ts";
import type { Account, SignInHeaders } from "./account.ts";

/** The answer of a server that refuses a request. */
export interface Refusal {
  status: number;
  /** The header `WWW-Authenticate`. */
  challenge: string | null | undefined;
  sent: SignInHeaders;
}

/** With whose account requests go to a tool server. */
export interface Credential {
  /** For the next request; empty where nobody has signed in. */
  headers(): Promise<SignInHeaders>;
  /**
   * Takes a refusal, and renews a token that is no longer good. @returns whether to send it again.
   * @throws BadGateway `tool_sign_in_needed`, `tool_server_sign_in`.
   */
  refused(refusal: Refusal, attempt: number): Promise<boolean>;
}

export interface CredentialDeps extends PersonalHeadersDeps {
  store: SignInStore;
  reach: Reach;
  leases: Leases;
  publicUrl: string;
}

/** Renewed this long before its end, so that none ends on its way. */
const EARLY_MS = 30_000;
const REFRESH_WAIT_MS = 30_000;
const REFRESH_TIMEOUT_MS = 20_000;
/** Sign-ins for more rights, one after the other, until the user connects by themselves. */
const MAX_STEP_UPS = 3;
/** Codes after which a token is renewed no more. Source: RFC 6749, section 5.2. */
const FINAL = ["invalid_grant", "invalid_client", "unauthorized_client", "invalid_target"];

/**
 * The sign-in that one tool server may want, and what its headers say of each user. A server with a
 * key of its own wants no sign-in.
 */
export class ServerSignIn {
  readonly #server: ToolServer;
  readonly #deps: CredentialDeps;
  readonly #share = singleFlightByKey();
  readonly #hasKey: boolean;
  /** What it said when it last refused; undefined while it has not. */
  challenge: Challenge | undefined;
  /** Whether it wants a sign-in, as far as it is known here. */
  isWanted = false;
  #metadata: Promise<boolean> | undefined;
  /** Undefined for a server whose headers are the same for everybody. */
  readonly personal: PersonalHeaders | undefined;

  constructor(server: ToolServer, deps: CredentialDeps) {
    this.personal = personalHeaders(server, deps);
    this.#server = server;
    this.#deps = deps;
    this.#hasKey = Object.keys(server.headers ?? {}).some(
      (name) => name.toLowerCase() === "authorization",
    );
  }

  /** Whether the server sees who asks, so that its answers are for that user alone. */
  get isPersonal(): boolean {
    return this.isWanted || this.personal !== undefined;
  }

  credentialOf(account: Account): Credential {
    return {
      headers: async () => ({
        ...(await this.#headersOf(account)),
        ...(await this.#filled(account)),
      }),
      refused: (refusal, attempt) => this.#refused(account, refusal, attempt),
    };
  }

  /** @throws BadGateway `tool_sign_in_needed`, `tool_server_sign_in_values`. */
  async #filled(account: Account): Promise<SignInHeaders> {
    if (!this.personal) return {};
    const filled = await this.personal.headersOf(account);
    if (!filled) throw this.#needed(account);
    return filled;
  }

  /** @throws BadGateway for a refusal of what the user filled in, which only the user can mend. */
  #refuseValues(account: Account, status: number): false {
    const hasSecrets = this.personal !== undefined && this.personal.secrets.length > 0;
    if (status === 401 && hasSecrets) throw this.#needed(account);
    return false;
  }

  async #headersOf(account: Account): Promise<SignInHeaders> {
    if (this.#hasKey || account === "nobody") return {};
    // before the first refusal only the list of tools may have an account
    if (!this.isWanted && account !== "listing") return {};
    const found = await this.#find(account);
    if (!found?.grant) return {};
    this.isWanted = true;
    const isOld =
      found.expiresAt !== undefined && found.expiresAt.getTime() - EARLY_MS < Date.now();
    const mayRenew = isOld && found.grant.refreshToken !== undefined;
    const current = mayRenew ? await this.#renew(found) : found;
    return current?.grant ? toHeaders(current.grant.accessToken) : {};
  }

  /** Tokens are for the address that they were asked for. */
  async #find(account: Account): Promise<Connection | undefined> {
    if (account === "nobody") return undefined;
    const { store, mayList } = this.#deps;
    const { name, url } = this.#server;
    const isListing = account === "listing";
    const found = isListing
      ? await store.findListing(name)
      : await store.find(name, account.userId);
    if (found?.url !== url) return undefined;
    return !isListing || (await mayList(found.userId)) ? found : undefined;
  }

  async #refused(
    account: Account,
    { status, challenge: header, sent }: Refusal,
    attempt: number,
  ): Promise<boolean> {
    if (this.#hasKey) return this.#refuseValues(account, status);
    const challenge = readChallenge(header);
    if (status === 403) return this.#stepUp(account, challenge);
    if (status !== 401) return false;
    if (!challenge && !(await this.#isDescribed()))
      return this.#refuseValues(account, status);
    this.challenge = challenge ?? {};
    const wasWanted = this.isWanted;
    this.isWanted = true;
    const found = await this.#find(account);
    if (!found?.grant) throw this.#needed(account);
    const current = toHeaders(found.grant.accessToken);
    const isOther = current["authorization"] !== sent["authorization"];
    // it was renewed meanwhile, or was not sent yet
    if (attempt === 1 && (isOther || !wasWanted)) return true;
    if (attempt <= 2 && found.grant.refreshToken !== undefined) {
      const renewed = await this.#renew(found);
      if (renewed?.grant) return true;
    }
    await this.#deps.store.expire(found);
    throw this.#needed(account);
  }

  /** Whether a server that refuses without a word says elsewhere that it wants a sign-in. */
  #isDescribed(): Promise<boolean> {
    const { url } = this.#server;
    this.#metadata ??= this.#asking({ url }, hasResourceMetadata).catch(() => {
      this.#metadata = undefined;
      return false;
    });
    return this.#metadata;
  }

  #asking<T>(named: Named, work: (asking: Asking) => Promise<T>): Promise<T> {
    return asking(this.#deps.reach, named, AbortSignal.timeout(REFRESH_TIMEOUT_MS), work);
  }

  /** @throws BadGateway `tool_sign_in_needed` where the user may grant what is missing. */
  async #stepUp(account: Account, challenge: Challenge | undefined): Promise<boolean> {
    const { scopes = [], error } = challenge ?? {};
    if (error !== "insufficient_scope" || scopes.length === 0) return false;
    const found = await this.#find(account);
    if (!found?.grant) return false;
    const isNew = scopes.some((scope) => !found.scopes.includes(scope));
    if (!isNew || found.stepUps >= MAX_STEP_UPS) return false;
    await this.#deps.store.wantScopes(found, joinScopes(scopes));
    throw this.#needed(account);
  }

  /**
   * Renews a token, once at a time for each user and server, on all replicas: servers take a token
   * that renews for stolen when it comes twice.
   * @returns undefined where the user must sign in again.
   */
  #renew(stale: Connection): Promise<Connection | undefined> {
    const { leases, store } = this.#deps;
    const { server, userId } = stale;
    const waiting = AbortSignal.timeout(REFRESH_WAIT_MS + REFRESH_TIMEOUT_MS);
    return this.#share(userId, waiting, () =>
      whileNotRenewed(leases, stale, async () => {
        const current = await store.find(server, userId);
        // connected again for another address meanwhile: those tokens are not for this one
        if (current?.url !== stale.url) return undefined;
        const isRenewed = current.grant?.accessToken !== stale.grant?.accessToken;
        return isRenewed ? current : this.#renewNow(current);
      }),
    );
  }

  #renewNow(connection: Connection): Promise<Connection | undefined> {
    // an administrator may have entered it since the user signed in
    const issuer = this.#server.oauth?.issuer ?? connection.grant?.namedIssuer;
    const named = { url: connection.url, issuer };
    return this.#asking(named, (asking) => this.#renewAt(asking, connection));
  }

  async #renewAt(asking: Asking, connection: Connection): Promise<Connection | undefined> {
    const { store } = this.#deps;
    const { grant } = connection;
    if (grant?.refreshToken === undefined) return undefined;
    try {
      const { accessToken, refreshToken, expiresIn } = await refreshTokens(
        asking,
        grant,
        grant.refreshToken,
      );
      const renewed = { ...grant, accessToken, refreshToken };
      const expiresAt = expiryOf(expiresIn);
      const version = await store.renew(connection, renewed, expiresAt);
      if (version !== undefined)
        return { ...connection, version, grant: renewed, expiresAt };
      // nobody keeps it; a server that does not end it lets it expire
      await revokeTokens(asking, grant, renewed.refreshToken).catch(() => {});
      const current = await store.find(connection.server, connection.userId);
      return current?.url === connection.url ? current : undefined;
    } catch (error) {
      if (!FINAL.includes(refusalOf(error) ?? "")) throw error;
      await store.expire(connection);
      return undefined;
    }
  }

  #needed(account: Account): BadGateway {
    const { name } = this.#server;
    if (account === "listing") return this.personal ? valuesWanted() : signInWanted();
    return signInNeeded(name, this.#deps.publicUrl);
  }
}

/** Does what must not happen while the tokens of a connection are renewed, on any replica. */
export function whileNotRenewed<T>(
  leases: Leases,
  { server, userId }: Of,
  work: () => Promise<T>,
): Promise<T> {
  const name = `tool sign-in ${JSON.stringify([server, userId])}`;
  return leases.run(name, { waitMs: REFRESH_WAIT_MS, busy }, work);
}

function toHeaders(accessToken: string): SignInHeaders {
  return { authorization: `Bearer ${accessToken}` };
}

/** What the web page calls the list of accounts. */
const CONNECTIONS_PATH = "/settings/connections";
/** Why the tools of a server are not known before an administrator signs in, or fills in. */
export const SIGN_IN_WANTED: readonly string[] = [
  "tool_server_sign_in",
  "tool_server_sign_in_values",
];

/** A call that only the user's own account may make. */
function signInNeeded(server: string, publicUrl: string): BadGateway {
  const address = `${publicUrl}${CONNECTIONS_PATH}?server=${encodeURIComponent(server)}`;
  return new BadGateway(
    "tool_sign_in_needed",
    `"${server}" needs your account there. Connect it at ${address}, then try again.`,
    { params: { server, address } },
  );
}

/** Why the tools of a server are not known. */
function signInWanted(): BadGateway {
  return new BadGateway(
    "tool_server_sign_in",
    "It wants a sign-in (OAuth). Connect it: its list of tools is read with your account there, " +
      "and its tools are called with that of each user.",
  );
}

function valuesWanted(): BadGateway {
  return new BadGateway(
    "tool_server_sign_in_values",
    "Its headers say who asks. Connect it: its list of tools is read with your values, and its " +
      "tools are called with those of each user.",
  );
}

function busy(): Unavailable {
  return new Unavailable(
    "tool_sign_in_busy",
    "Your sign-in at the tool server is being renewed. Try again in a moment.",
    1_000,
  );
}
