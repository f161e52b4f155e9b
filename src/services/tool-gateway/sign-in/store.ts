import sql from "sql-template-tag";
import { openSecret, sealSecret } from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/database.ts";
import { leaseEnd } from "../../../platform/lease/row-lease.ts";
import type { OAuthClient, TokenSource } from "./token-requests.ts";

/** What is kept of a connection, encrypted. */
export interface StoredTokens extends TokenSource {
  accessToken: string;
  refreshToken?: string;
}

/** The account of one user at one tool server. */
export interface Connection {
  userId: string;
  server: string;
  /** Another one at each sign-in and renewal. */
  version: string;
  /** The address that its tokens are for. */
  url: string;
  /** Undefined once it has expired. */
  grant: StoredTokens | undefined;
  /** Asked for at the last sign-in, and granted. */
  scopes: string[];
  /** What the server wanted beyond that. */
  wantedScopes: string[];
  stepUps: number;
  /** Whether the tools of the server are read with it. */
  lists: boolean;
  expiresAt: Date | undefined;
  connectedAt: Date;
}

export interface RegisteredClient {
  client: OAuthClient;
  expiresAt: Date | undefined;
}

/** A sign-in between the way there and the way back. */
export interface PendingSignIn {
  server: string;
  userId: string;
  url: string;
  issuer: string;
  sendsIssuer: boolean;
  source: TokenSource;
  verifier: string;
  redirectUri: string;
  scopes: string[];
  lists: boolean;
  isStepUp: boolean;
}

/** Where connections, registrations and sign-ins that have begun are kept. */
export interface SignInStore {
  find(server: string, userId: string): Promise<Connection | undefined>;
  /** The connection with which the tools of a server are read. */
  findListing(server: string): Promise<Connection | undefined>;
  /** Of one user, at the servers of these names. */
  listOf(userId: string): Promise<Connection[]>;
  /**
   * Ends the sign-in of a state with its connection. @returns false where the sign-in was forgotten
   * meanwhile, such as with its user: nothing is kept then.
   */
  save(
    stateHash: string,
    connection: Omit<Connection, "connectedAt" | "version">,
  ): Promise<boolean>;
  /**
   * Keeps renewed tokens of a connection. @returns its new version; undefined where it was ended,
   * or made again, since it was read: nothing is kept then.
   */
  renew(
    of: Version,
    grant: StoredTokens,
    expiresAt: Date | undefined,
  ): Promise<string | undefined>;
  /** Forgets the tokens that were read: the user must sign in again. */
  expire(of: Version): Promise<void>;
  wantScopes(of: Of, scopes: readonly string[]): Promise<void>;
  remove(of: Of): Promise<void>;
  findClient(
    server: string,
    issuer: string,
    redirectUri: string,
  ): Promise<OAuthClient | undefined>;
  saveClient(
    server: string,
    issuer: string,
    redirectUri: string,
    registered: RegisteredClient,
  ): Promise<void>;
  removeClient(server: string, issuer: string): Promise<void>;
  /**
   * Binds a client that an administrator entered without an issuer to the first one that its server
   * named. @returns the issuer that it is bound to.
   */
  pinIssuer(of: EnteredClient, issuer: string): Promise<string>;
  /** The issuer that a client is bound to, if it was used. */
  findPinned(of: EnteredClient): Promise<string | undefined>;
  begin(stateHash: string, pending: PendingSignIn): Promise<void>;
  /** Takes a sign-in that this user began; it cannot be taken twice. */
  take(stateHash: string, userId: string): Promise<PendingSignIn | undefined>;
}

export interface EnteredClient {
  server: string;
  url: string;
  clientId: string;
}

export type Of = Pick<Connection, "server" | "userId">;
type Version = Of & Pick<Connection, "version">;

const MAX_PENDING = 20;
const PENDING_MS = 10 * 60_000;
/** What was begun in time may end a little later. */
const GRACE_MS = 60_000;
const MAX_CONNECTIONS = 1_000;
/** Registrations at one server: it may name another issuer each time. */
const MAX_CLIENTS = 10;

interface Row extends Omit<Connection, "grant" | "expiresAt"> {
  sealed: string | null;
  expiresAt: Date | null;
}

const COLUMNS = sql`user_id as "userId", server, version, url, sealed, scopes,
  wanted_scopes as "wantedScopes", step_ups as "stepUps", lists, expires_at as "expiresAt",
  connected_at as "connectedAt"`;

export function createSignInStore(db: Database, encryptionKey: string): SignInStore {
  const seal = (value: object) => sealSecret(JSON.stringify(value), encryptionKey);
  // what `seal` sealed
  const open = <T>(sealed: string) => JSON.parse(openSecret(sealed, encryptionKey)) as T;
  const toConnection = ({ sealed, expiresAt, ...row }: Row): Connection => ({
    ...row,
    grant: sealed === null ? undefined : open<StoredTokens>(sealed),
    expiresAt: expiresAt ?? undefined,
  });
  const findPinned = async ({ server, url, clientId }: EnteredClient) => {
    const [row] = await db.query<{ issuer: string }>(sql`
      select issuer from tool_gateway.pinned_issuers
      where server = ${server} and url = ${url} and client_id = ${clientId}`);
    return row?.issuer;
  };
  return {
    async find(server, userId) {
      const [row] = await db.query<Row>(sql`select ${COLUMNS} from tool_gateway.connections
        where user_id = ${userId} and server = ${server}`);
      return row && toConnection(row);
    },
    async findListing(server) {
      const [row] = await db.query<Row>(sql`select ${COLUMNS} from tool_gateway.connections
        where server = ${server} and lists`);
      return row && toConnection(row);
    },
    async listOf(userId) {
      const rows = await db.query<Row>(sql`select ${COLUMNS} from tool_gateway.connections
        where user_id = ${userId} order by server limit ${MAX_CONNECTIONS}`);
      return rows.map(toConnection);
    },
    async save(stateHash, connection) {
      const { userId, server, url, grant, scopes, stepUps, lists, expiresAt } = connection;
      const sealed = grant ? seal(grant) : null;
      return db.tx(async () => {
        // who forgets a user deletes the sign-ins first: waits here, and finds the connection then
        const ended = await db.query(sql`delete from tool_gateway.sign_ins
          where state_hash = ${stateHash} and user_id = ${userId} returning state_hash`);
        if (ended.length === 0) return false;
        if (lists)
          await db.query(sql`update tool_gateway.connections set lists = false
            where server = ${server} and lists`);
        await db.query(sql`insert into tool_gateway.connections as c
            (user_id, server, url, sealed, scopes, step_ups, lists, expires_at)
          values (${userId}, ${server}, ${url}, ${sealed}, ${scopes}, ${stepUps},
            ${lists}, ${expiresAt ?? null})
          on conflict (user_id, server) do update set url = excluded.url,
            sealed = excluded.sealed, scopes = excluded.scopes, wanted_scopes = '{}',
            step_ups = excluded.step_ups, lists = excluded.lists
              or (c.lists and c.url = excluded.url),
            expires_at = excluded.expires_at, connected_at = now(),
            version = gen_random_uuid()`);
        return true;
      });
    },
    async renew({ userId, server, version }, grant, expiresAt) {
      const [row] = await db.query<{ version: string }>(sql`
        update tool_gateway.connections set sealed = ${seal(grant)},
          expires_at = ${expiresAt ?? null}, version = gen_random_uuid()
        where user_id = ${userId} and server = ${server} and version = ${version}
          and sealed is not null
        returning version`);
      return row?.version;
    },
    async expire({ userId, server, version }) {
      await db.query(sql`update tool_gateway.connections
        set sealed = null, expires_at = null
        where user_id = ${userId} and server = ${server} and version = ${version}`);
    },
    async wantScopes({ userId, server }, scopes) {
      await db.query(sql`update tool_gateway.connections set wanted_scopes = ${[...scopes]}
        where user_id = ${userId} and server = ${server}`);
    },
    async remove({ userId, server }) {
      await db.query(sql`delete from tool_gateway.connections
        where user_id = ${userId} and server = ${server}`);
    },
    async findClient(server, issuer, redirectUri) {
      const [row] = await db.query<{ sealed: string }>(sql`
        select sealed from tool_gateway.registered_clients
        where server = ${server} and issuer = ${issuer} and redirect_uri = ${redirectUri}
          and (expires_at is null or expires_at > now())`);
      return row && open<OAuthClient>(row.sealed);
    },
    async saveClient(server, issuer, redirectUri, { client, expiresAt }) {
      await db.query(sql`insert into tool_gateway.registered_clients
          (server, issuer, redirect_uri, sealed, expires_at)
        values (${server}, ${issuer}, ${redirectUri}, ${seal(client)}, ${expiresAt ?? null})
        on conflict (server, issuer) do update set redirect_uri = excluded.redirect_uri,
          sealed = excluded.sealed, expires_at = excluded.expires_at, registered_at = now()`);
      await db.query(sql`delete from tool_gateway.registered_clients
        where server = ${server} and issuer in (
          select issuer from tool_gateway.registered_clients where server = ${server}
          order by registered_at desc, issuer offset ${MAX_CLIENTS})`);
    },
    async removeClient(server, issuer) {
      await db.query(sql`delete from tool_gateway.registered_clients
        where server = ${server} and issuer = ${issuer}`);
    },
    async pinIssuer({ server, url, clientId }, issuer) {
      await db.query(sql`insert into tool_gateway.pinned_issuers (server, url, client_id, issuer)
        values (${server}, ${url}, ${clientId}, ${issuer}) on conflict do nothing`);
      return (await findPinned({ server, url, clientId })) ?? issuer;
    },
    findPinned,
    async begin(stateHash, pending) {
      const { userId, server } = pending;
      await db.query(sql`delete from tool_gateway.sign_ins
        where expires_at <= now() - ${GRACE_MS} * interval '1 millisecond'`);
      await db.query(sql`delete from tool_gateway.sign_ins where state_hash in (
        select state_hash from tool_gateway.sign_ins where user_id = ${userId}
        order by expires_at desc offset ${MAX_PENDING - 1})`);
      await db.query(sql`insert into tool_gateway.sign_ins
          (state_hash, user_id, server, sealed, expires_at)
        values (${stateHash}, ${userId}, ${server}, ${seal(pending)}, ${leaseEnd(PENDING_MS)})`);
    },
    async take(stateHash, userId) {
      // it stays until its connection is saved, so that it can be forgotten with its user
      const [row] = await db.query<{ sealed: string }>(sql`update tool_gateway.sign_ins
        set taken = true
        where state_hash = ${stateHash} and user_id = ${userId} and not taken
          and expires_at > now()
        returning sealed`);
      return row && open<PendingSignIn>(row.sealed);
    },
  };
}
