import { createHash } from "node:crypto";
import { z } from "zod";
import { BadGateway, Forbidden } from "../../../../platform/http/errors.ts";
import { retryUntilSettled } from "../../accounts/settle.ts";
import { CredentialsRefused, type ProviderUsers, type TokenSet } from "../provider.ts";
import { type AskLangflow, detailOf, type LangflowAnswer } from "./client.ts";

const PREFIX = "parlance-";
const User = z.object({
  id: z.uuid(),
  username: z.string(),
  is_active: z.boolean(),
  is_superuser: z.boolean(),
});
const Users = z.object({ users: z.array(User) });
const Tokens = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
});
const NewKey = z.object({ api_key: z.string().min(1) });
const USUAL_LIFE_MS = 5 * 60_000;

/**
 * Users of Langflow, their sign-in and their keys. See `langflow/api/v1/{users,login,api_key}.py`
 * at 1.10.1.
 */
export function usersOf(ask: AskLangflow): ProviderUsers {
  return {
    usernameFor: (userId) =>
      PREFIX +
      (/^[\w.@-]{1,100}$/.test(userId)
        ? userId
        : createHash("sha256").update(userId).digest("hex")),

    create: (username, password, signal) => createUser(ask, { username, password }, signal),

    async login(username, password, signal) {
      const form = { grant_type: "password", username, password };
      const answer = await ask(
        { method: "POST", path: "/api/v1/login", as: "nobody", form },
        signal,
      );
      if (answer.status === 200) return tokensOf(answer);
      const detail = detailOf(answer.body);
      if (detail === "Inactive user")
        throw new Forbidden(
          "provider_account_inactive",
          "Your account at the flow provider was deactivated there. Ask an administrator.",
        );
      throw new CredentialsRefused({ cause: detail });
    },

    async refresh({ refreshToken }, signal) {
      return tokensOf(
        await ask(
          { method: "POST", path: "/api/v1/refresh", as: { refreshToken } },
          signal,
        ),
      );
    },

    createKey: ({ accessToken }, name, signal) => createKey(ask, accessToken, name, signal),

    async remove(username, signal) {
      const user = await findUser(ask, username, signal);
      if (user && !user.is_superuser && username.startsWith(PREFIX))
        await ask(
          { method: "DELETE", path: `/api/v1/users/${user.id}`, as: "admin" },
          signal,
        );
    },
  };
}

/** Makes an account, or takes over the one that an earlier attempt left. */
async function createUser(
  ask: AskLangflow,
  json: { username: string; password: string },
  signal: AbortSignal,
): Promise<void> {
  const { username, password } = json;
  const made = await ask(
    { method: "POST", path: "/api/v1/users/", as: "admin", json },
    signal,
  );
  if (made.status === 201) {
    const { id } = read(User, 201, made);
    await retryUntilSettled(
      () => changeUser(ask, id, { is_active: true }, signal),
      (error) => error instanceof BadGateway,
      signal,
    );
    return;
  }
  const existing = await findUser(ask, username, signal);
  if (!existing)
    throw new BadGateway(
      "provider_failed",
      "The flow provider did not create the account. Try again, or ask an administrator.",
      {
        cause: detailOf(made.body),
      },
    );
  if (existing.is_superuser || !username.startsWith(PREFIX))
    throw new Forbidden(
      "provider_account_taken",
      "At the flow provider this user's name belongs to another. Ask an administrator.",
    );
  await changeUser(ask, existing.id, { is_active: true, password }, signal);
}

async function findUser(ask: AskLangflow, username: string, signal: AbortSignal) {
  // Langflow searches for a part of the name, so the answer may include other users
  const path = `/api/v1/users/?skip=0&limit=100&search=${encodeURIComponent(username)}`;
  const answer = await ask({ method: "GET", path, as: "admin" }, signal);
  const { users } = read(Users, 200, answer);
  return users.find((user) => user.username === username);
}

async function changeUser(
  ask: AskLangflow,
  id: string,
  json: object,
  signal: AbortSignal,
): Promise<void> {
  const path = `/api/v1/users/${id}`;
  read(User, 200, await ask({ method: "PATCH", path, as: "admin", json }, signal));
}

/** Makes a key, and waits until Langflow accepts it. */
async function createKey(
  ask: AskLangflow,
  token: string,
  name: string,
  signal: AbortSignal,
): Promise<string> {
  const answer = await ask(
    { method: "POST", path: "/api/v1/api_key/", as: { token }, json: { name } },
    signal,
  );
  const { api_key: key } = read(NewKey, 200, answer);
  const whoami = { method: "GET", path: "/api/v1/users/whoami", as: { key } } as const;
  await retryUntilSettled(
    () => ask(whoami, signal),
    (error) => error instanceof CredentialsRefused,
    signal,
  );
  return key;
}

function tokensOf(answer: LangflowAnswer): TokenSet {
  const { access_token: accessToken, refresh_token: refreshToken } = read(
    Tokens,
    200,
    answer,
  );
  return {
    accessToken,
    refreshToken,
    expiresAt: expiryOf(accessToken) ?? Date.now() + USUAL_LIFE_MS,
  };
}

/** Not verified: it only determines when to request another token. */
function expiryOf(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(
      Buffer.from(token.split(".")[1] ?? "", "base64url").toString(),
    );
    const parsed = z.object({ exp: z.number().positive() }).safeParse(claims);
    return parsed.success ? parsed.data.exp * 1_000 : undefined;
  } catch {
    return undefined;
  }
}

/** @throws BadGateway `provider_invalid` for an unexpected status or body. */
export function read<Schema extends z.ZodType>(
  schema: Schema,
  status: number,
  answer: LangflowAnswer,
): z.output<Schema> {
  const parsed = schema.safeParse(answer.body);
  if (answer.status === status && parsed.success) return parsed.data;
  throw new BadGateway(
    "provider_invalid",
    `The flow provider answered ${answer.status} in an unknown form. The operator must check its version.`,
    {
      cause: detailOf(answer.body),
    },
  );
}
