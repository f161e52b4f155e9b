import type { ClientCapabilities } from "@modelcontextprotocol/sdk/types.js";
import type { ApiError } from "../../platform/http/errors.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import { within } from "../../platform/within.ts";
import { connect } from "./connect.ts";
import type { ToolServer } from "./contract.ts";
import type { Remote } from "./remote.ts";
import type { Credential } from "./sign-in/credential.ts";

interface Options {
  server: ToolServer;
  outgoing: Outgoing;
  /** A session without calls for this long is ended. */
  idleMs: number;
  /** The error when every session is in use. */
  busy: () => ApiError;
}

interface UserSession {
  client: Promise<Remote>;
  activeCalls: number;
  lastUsed: number;
}

/** Open sessions at one server. Beyond it, the one that was unused for longest is ended. */
const MAX_SESSIONS = 200;
const NO_LISTENERS = { onToolsChanged() {}, onError() {} };

/**
 * A session for each user at a server that keeps state between calls: what one user does there,
 * such as signing in or opening a file, is not another's.
 */
export class UserSessions implements AsyncDisposable {
  readonly #options: Options;
  /** By user, the one unused for longest first. */
  readonly #sessions = new Map<string, UserSession>();
  readonly #closing = new AbortController();

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Runs a call in the session of the user, which is opened when there is none.
   * @param userId with what the user can be asked: there is a session for each
   */
  async use<T>(
    userId: string,
    capabilities: ClientCapabilities,
    { withinMs, credential }: { withinMs: number; credential: Credential },
    work: (client: Remote) => Promise<T>,
  ): Promise<T> {
    const session =
      this.#sessions.get(userId) ?? this.#open(userId, capabilities, credential);
    this.#sessions.delete(userId);
    this.#sessions.set(userId, session);
    session.activeCalls += 1;
    try {
      return await work(await within(withinMs, session.client, notInTime));
    } finally {
      session.activeCalls -= 1;
      session.lastUsed = performance.now();
    }
  }

  /** Gives up a session that is lost or broken. Calls that run in it learn their own end. */
  drop(userId: string, client: Remote): void {
    const session = this.#sessions.get(userId);
    void session?.client.then((current) => {
      if (current !== client || this.#sessions.get(userId) !== session) return;
      this.#sessions.delete(userId);
      if (session.activeCalls === 0) void client.close();
    });
  }

  /** Ends sessions without calls. */
  endIdle(): void {
    const until = performance.now() - this.#options.idleMs;
    for (const [userId, { activeCalls, lastUsed }] of this.#sessions)
      if (activeCalls === 0 && lastUsed <= until) this.#end(userId);
  }

  #open(
    userId: string,
    capabilities: ClientCapabilities,
    credential: Credential,
  ): UserSession {
    if (this.#sessions.size >= MAX_SESSIONS) this.#endOldest();
    const { server, outgoing } = this.#options;
    const client = connect(
      server,
      outgoing,
      NO_LISTENERS,
      this.#closing.signal,
      // only servers that keep sessions come here
      { capabilities, era: "sessions", credential },
    );
    const session = { client, activeCalls: 0, lastUsed: performance.now() };
    client.catch(() => {
      if (this.#sessions.get(userId) === session) this.#sessions.delete(userId);
    });
    return session;
  }

  #endOldest(): void {
    for (const [userId, { activeCalls }] of this.#sessions)
      if (activeCalls === 0) return this.#end(userId);
    throw this.#options.busy();
  }

  #end(userId: string): void {
    const session = this.#sessions.get(userId);
    this.#sessions.delete(userId);
    void session?.client.then(close, () => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    const clients = [...this.#sessions.values()].map(({ client }) => client);
    this.#sessions.clear();
    await Promise.all(clients.map((client) => client.then(close, () => {})));
  }
}

function close(client: Remote): Promise<void> {
  return client.close();
}

function notInTime(): Error {
  return new Error("no session could be opened in time");
}
