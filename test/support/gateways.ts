import sql from "sql-template-tag";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { openLeases } from "../../src/platform/lease/leases.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { openOutgoing } from "../../src/platform/outgoing/open-outgoing.ts";
import type { Outgoing } from "../../src/platform/outgoing/outgoing.ts";
import { silentLog } from "../../src/platform/telemetry/log.ts";
import { testDatabase } from "../../src/platform/testing/database.ts";
import { createWorkers } from "../../src/platform/workers/workers.ts";
import { ToolServer } from "../../src/services/tool-gateway/contract.ts";
import { Gateway } from "../../src/services/tool-gateway/gateway.ts";
import { openSession } from "../../src/services/tool-gateway/session.ts";
import {
  type CredentialDeps,
  ServerSignIn,
} from "../../src/services/tool-gateway/sign-in/credential.ts";
import {
  createSignInStore,
  type SignInStore,
} from "../../src/services/tool-gateway/sign-in/store.ts";
import { forgetUser } from "../../src/services/tool-gateway/user-deletion.ts";
import {
  createUserValues,
  type UserValues,
} from "../../src/services/tool-gateway/user-values/store.ts";
import type { UserDeletion } from "../../src/services/users/contract-user-deletion.ts";
import { text } from "./tool-server.ts";

const SIGN_IN_KEY = Buffer.alloc(32, 7).toString("base64");

interface Options {
  /** Default: to addresses of this machine. */
  outgoing?: Outgoing;
  callTimeoutMs?: number;
  concurrency?: number;
}

interface SignIns extends CredentialDeps {
  store: SignInStore;
  values: UserValues;
  /** Users who administer the installation no more. */
  demoted: Set<string>;
  /** Deletes a user's accounts, as when the user is deleted. */
  forget(userId: string): Promise<void>;
}

/** Tool gateways without a server around them, on one database. */
interface Gateways extends AsyncDisposable {
  outgoing: Outgoing;
  signIns: SignIns;
  open(options?: Options): Gateway;
  /** Deletes what was approved and set. */
  reset(): Promise<void>;
}

async function startGateways(): Promise<Gateways> {
  const log = silentLog();
  const db = await testDatabase();
  const folder = new URL("../../src/services/tool-gateway/migrations/", import.meta.url);
  await migrate(db, { schema: "tool_gateway", folder, log });
  const outgoing = openOutgoing({ allow: ["127.0.0.0/8"], own: () => [] });
  const workers = createWorkers({ size: 1 });
  const settings = {
    outgoing,
    log,
    callTimeoutMs: 5_000,
    idleMs: 60_000,
    concurrency: 100,
  };
  const demoted = new Set<string>();
  const signIns = {
    store: createSignInStore(db, SIGN_IN_KEY),
    values: createUserValues(db, SIGN_IN_KEY),
    emailOf: async (userId: string) => `${userId}@acme.example`,
    reach: () => openOutgoing({ allow: ["127.0.0.0/8"], own: () => [] }),
    demoted,
    mayList: async (userId: string) => !demoted.has(userId),
    forget: (userId: string) => forgetUser(db, { userId } as UserDeletion), // it reads nothing else
    leases: await openLeases({ db, log }),
    publicUrl: "https://parlance.example",
  };
  return {
    outgoing,
    signIns,
    open: (options = {}) =>
      new Gateway({
        db,
        log,
        workers,
        calls: { begin: () => () => {} },
        announce: async () => {},
        open: (server, changed) =>
          openSession({
            server,
            signIn: new ServerSignIn(server, signIns),
            changed,
            ...settings,
            ...options,
          }),
      }),
    async reset() {
      await db.query(sql`delete from tool_gateway.approved_tools`);
      await db.query(sql`delete from tool_gateway.tool_effects`);
      await db.query(sql`delete from tool_gateway.known_servers`);
      await db.query(sql`delete from tool_gateway.connections`);
      await db.query(sql`delete from tool_gateway.user_values`);
      await db.query(sql`delete from tool_gateway.registered_clients`);
      demoted.clear();
    },
    async [Symbol.asyncDispose]() {
      await workers[Symbol.asyncDispose]();
      await outgoing[Symbol.asyncDispose]();
      await db[Symbol.asyncDispose]();
    },
  };
}

/** Gateways for the tests of a file. What one test approves or sets does not reach the next. */
export function gatewaysForTests(): Pick<Gateways, "open" | "outgoing" | "signIns"> {
  let gateways: Gateways;
  beforeAll(async () => {
    gateways = await startGateways();
  });
  afterAll(() => gateways[Symbol.asyncDispose]());
  beforeEach(() => gateways.reset());
  return {
    open: (options) => gateways.open(options),
    get outgoing() {
      return gateways.outgoing;
    },
    get signIns() {
      return gateways.signIns;
    },
  };
}

/** A server of a configuration. */
export function entry(
  name: string,
  { url }: { url: string },
  more: object = {},
): ToolServer {
  return ToolServer.parse({ name, url, ...more });
}

export function namesOf(gateway: Gateway): string[] {
  return gateway.list().map(({ name }) => name);
}

/** Calls a tool. @returns the text of its result. */
export async function run(
  gateway: Gateway,
  name: string,
  args = {},
  userId?: string,
): Promise<unknown> {
  const { signal } = new AbortController();
  const { content } = await gateway.call(name, args, { userId, signal });
  return content[0]?.["text"];
}

/** A tool that answers with fixed words. */
export function say(words: string) {
  return { run: () => text(words) };
}
