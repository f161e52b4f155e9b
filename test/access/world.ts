import type { KeyObject } from "node:crypto";
import { type CryptoKey, SignJWT } from "jose";
import { vi } from "vitest";
import { eventsOf, type TestServer } from "../support/server.ts";
import type { Person } from "./row.ts";

export const PASSWORD = "a long enough password";

export interface Somebody {
  id: string;
  token: string;
}

/** Claims and header of a token that differ from a valid one's. Null removes a claim. */
export interface Odd {
  issuer?: string;
  audience?: string;
  expires?: string | null;
  subject?: string | null;
  type?: string;
  roles?: string[];
  clientId?: string;
}

/** A server, its users, and functions that create their resources. */
export interface World {
  parlance: TestServer;
  /** The address of the replica whose turn it is. */
  nextUrl(): string;
  people: Record<Person, Somebody>;
  /** A token for the named user, signed by the server's own key. */
  sign(whom: string, odd?: Odd): Promise<string>;
  /** A unique word. */
  word(): string;
  /**
   * Sends a request as a user and returns the JSON of the answer. @throws unless it is a success.
   */
  as<Result = { id: string }>(
    person: Person,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Result>;
  /** Waits until a request of a user succeeds. */
  until(person: Person, path: string): Promise<void>;
  /** Calls as a peer, with the secret of the users service. */
  asService<Result = { id: string }>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Result>;
  /**
   * Shares a resource of the owner with viewer, commenter and editor. @returns the feature's id.
   */
  share(resourceType: string, resourceId: string): Promise<string>;
}

interface Signing {
  key: CryptoKey | KeyObject;
  keyId: string;
}

/**
 * `servers`: replicas, of which the first creates everything. `signing`: the server's own key,
 * because a wrong claim and a wrong signature must be distinguished.
 */
export async function createWorld(
  servers: readonly [TestServer, ...TestServer[]],
  signing: () => Signing,
  userSecret: string,
): Promise<World> {
  const [parlance] = servers;
  let turn = 0;
  let serial = 0;
  const word = () => `mark${String((serial += 1)).padStart(5, "0")}x`;
  const ask = async <Result>(
    token: string | null,
    method: string,
    path: string,
    body?: unknown,
    headers = {},
  ) => {
    const response = await parlance.request(path, {
      method,
      token,
      headers,
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(
        `${method} ${path} for a test's own sake: ${response.status} ${text}`,
      );
    return (text === "" ? undefined : JSON.parse(text)) as Result; // as the caller expects
  };
  const sign: World["sign"] = (whom, odd = {}) => {
    const {
      issuer = "parlance",
      audience = "parlance",
      expires = "1h",
      subject = whom,
      type = "at+jwt",
      roles = ["user"],
    } = odd;
    const token = new SignJWT({
      email: `${whom}@test.example`,
      name: whom,
      roles,
      clientId: odd.clientId ?? "default",
    })
      .setProtectedHeader({ alg: "RS256", kid: signing().keyId, typ: type })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt();
    if (subject !== null) token.setSubject(subject);
    if (expires !== null) token.setExpirationTime(expires);
    return token.sign(signing().key);
  };
  const enter = async (
    name: string,
    roles = ["user"],
    clientId?: string,
  ): Promise<Somebody> => {
    const email = `${name}@test.example`;
    const { id } = await ask<{ id: string }>(parlance.token, "POST", "/api/v1/users", {
      email,
      name,
      password: PASSWORD,
      roles,
      ...(clientId !== undefined && { clientId }),
    });
    return { id, token: await parlance.signIn(email, PASSWORD) };
  };
  const people: World["people"] = {
    foreigner: await enter("foreigner", ["user"], "another"),
    foreignAdmin: await enter("foreign-admin", ["admin"], "another"),
    stranger: await enter("stranger"),
    viewer: await enter("viewer"),
    commenter: await enter("commenter"),
    editor: await enter("editor"),
    admin: await enter("second-admin", ["admin"]),
    owner: await enter("owner"),
  };
  const as: World["as"] = (person, method, path, body) =>
    ask(people[person].token, method, path, body);
  return {
    parlance,
    nextUrl: () => (servers[(turn += 1) % servers.length] ?? parlance).url,
    people,
    sign,
    word,
    as,
    until: (person, path) =>
      vi.waitFor(async () => {
        const answer = await parlance.request(path, { token: people[person].token });
        await answer.body?.cancel();
        if (!answer.ok) throw new Error(`${path} is ${answer.status} still`);
      }, 30_000),
    asService: (method, path, body) =>
      ask(null, method, path, body, { "x-platform-user-service-secret": userSecret }),
    async share(resourceType, resourceId) {
      const roles = ["viewer", "commenter", "editor"] as const;
      const shares = roles.map((accessRole) => ({
        subjectType: "user",
        subjectId: people[accessRole].id,
        accessRole,
      }));
      const path = "/api/v1/sharing/share";
      return (
        await as<{ featureId: string }>("owner", "POST", path, {
          resourceType,
          resourceId,
          shares,
        })
      ).featureId;
    },
  };
}

/** A shared conversation of the owner with a message and its reply. */
export async function conversation(
  world: World,
): Promise<{ id: string; messageId: string; userMessageId: string; mark: string }> {
  const mark = world.word();
  // as a stream, because a whole answer does not show when the title is stored
  const response = await world.parlance.request("/api/v1/conversation", {
    token: world.people.owner.token,
    body: { content: mark },
  });
  const ids = (await eventsOf(response)).find(({ event }) => event === "conversation")
    ?.data as Record<string, string>; // its first event
  const [id = "", messageId = "", userMessageId = ""] = [
    ids["conversationId"],
    ids["messageId"],
    ids["userMessageId"],
  ];
  await world.asService("POST", "/api/v1/features", {
    resourceType: "conversation",
    resourceId: id,
    ownerId: world.people.owner.id,
  });
  await world.share("conversation", id);
  return { id, messageId, userMessageId, mark };
}

export async function agent(
  world: World,
  more: object = {},
): Promise<{ id: string; mark: string; featureId: string }> {
  const mark = world.word();
  const { id } = await world.as("owner", "POST", "/api/v1/agent", {
    name: mark,
    type: "simple",
    ...more,
  });
  return { id, mark, featureId: await world.share("agent", id) };
}

/** A file of the owner, with fields before it. @returns the answer. */
export async function upload<Result>(
  world: World,
  path: string,
  name: string,
  fields: Record<string, string> = {},
): Promise<Result> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append("file", new File([`A text about ${name}.`], name));
  const headers = { authorization: `Bearer ${world.people.owner.token}` };
  const response = await fetch(world.parlance.url + path, {
    method: "POST",
    headers,
    body: form,
  });
  if (!response.ok)
    throw new Error(
      `an upload to ${path} for a test's own sake: ${response.status} ${await response.text()}`,
    );
  return (await response.json()) as Result; // as the caller expects
}

/** `folderId`: a document in a folder has the folder's shares. */
export async function document(
  world: World,
  folderId?: string,
): Promise<{ id: string; mark: string }> {
  const mark = world.word();
  const { id } = await upload<{ id: string }>(
    world,
    "/api/v1/documents",
    `${mark}.txt`,
    folderId ? { folderId } : {},
  );
  if (!folderId) await world.share("document", id);
  return { id, mark };
}

/** A document that is a table. */
export async function table(world: World): Promise<{ id: string; mark: string }> {
  const mark = world.word();
  const { id } = await upload<{ id: string }>(
    world,
    "/api/v1/documents",
    `${mark}.csv`,
    {},
  );
  await world.share("document", id);
  return { id, mark };
}

export async function folder(world: World): Promise<{ id: string; mark: string }> {
  const mark = world.word();
  const { id } = await world.as("owner", "POST", "/api/v1/documents/folders", {
    name: mark,
  });
  await world.share("folder", id);
  return { id, mark };
}

/** In a shared conversation by default. */
export async function canvas(
  world: World,
  shared = true,
): Promise<{ id: string; mark: string; conversationId: string | null }> {
  const mark = world.word();
  const conversationId = shared ? (await conversation(world)).id : null;
  const { id } = await world.as("owner", "POST", "/api/v1/canvas", {
    title: mark,
    content: mark,
    conversationId,
  });
  return { id, mark, conversationId };
}

/** A new user and their password. */
export async function user(world: World) {
  const name = world.word();
  const account = { email: `${name}@test.example`, name, password: PASSWORD };
  return { ...(await world.as("admin", "POST", "/api/v1/users", account)), ...account };
}
