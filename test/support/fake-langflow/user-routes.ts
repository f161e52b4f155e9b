import type { Exchange, Route } from "./exchange.ts";
import { toUser } from "./state.ts";

/** Accounts, sign-in and keys. */
export const userRoutes: Route[] = [
  [/^GET \/api\/v1\/auto_login$/, signInAnyone],
  [/^POST \/api\/v1\/users\/$/, createUser],
  [/^GET \/api\/v1\/users\/$/, findUsers],
  [/^DELETE \/api\/v1\/users\/([0-9a-f-]{36})$/, deleteUser],
  [/^\w+ \/api\/v1\/users\/([0-9a-f-]{36})$/, changeUser],
  [/^POST \/api\/v1\/login$/, signIn],
  [/^POST \/api\/v1\/refresh$/, refresh],
  [/^POST \/api\/v1\/api_key\/$/, createKey],
  [/^GET \/api\/v1\/users\/whoami$/, showUser],
];

function signInAnyone({ langflow: { state, settings }, send, fail }: Exchange): void {
  const [admin] = state.users;
  if (settings.autoLogin && admin) send(200, state.tokensFor(admin));
  else fail(403, { message: "Auto login is disabled.", auto_login: false });
}

function createUser({
  langflow: { state, counts },
  key,
  json,
  send,
  fail,
}: Exchange): void {
  if (key === undefined || !state.userOfKey(key)?.isSuperuser)
    return fail(403, "Public user registration is disabled.");
  const { username, password } = json() as { username: string; password: string };
  if (state.users.some((one) => one.username === username))
    return fail(400, "This username is unavailable.");
  counts.users += 1;
  send(201, toUser(state.addUser(username, password)));
}

function findUsers({ langflow: { state }, query, superuser, send }: Exchange): void {
  if (!superuser()) return;
  const words = (query.get("search") ?? "").toLowerCase();
  const found = state.users.filter(({ username }) =>
    username.toLowerCase().includes(words),
  );
  send(200, {
    total_count: found.length,
    users: found.slice(0, Number(query.get("limit") ?? 10)).map(toUser),
  });
}

function deleteUser({ langflow: { state }, superuser, fail }: Exchange, id: string): void {
  if (!superuser()) return;
  const found = state.users.find((one) => one.id === id);
  if (!found) return fail(404, "User not found");
  state.users = state.users.filter((one) => one !== found);
  state.keys = state.keys.filter((one) => one.userId !== id);
  state.flows = state.flows.filter((one) => one.userId !== id);
  fail(200, "User deleted");
}

function changeUser(exchange: Exchange, id: string): void {
  const { langflow, superuser, json, change, send, fail } = exchange;
  if (!superuser()) return;
  const found = langflow.state.users.find((one) => one.id === id);
  if (!found) return fail(404, "User not found");
  const given = json() as { is_active?: boolean; password?: string };
  const changed = {
    ...found,
    isActive: given.is_active ?? found.isActive,
    password: given.password ?? found.password,
  };
  change(() => Object.assign(found, changed));
  send(200, toUser(changed));
}

function signIn({ langflow, headers, body, send, fail }: Exchange): void {
  const { state, counts, settings } = langflow;
  if (!headers["content-type"]?.startsWith("application/x-www-form-urlencoded"))
    return fail(422, [
      { loc: ["body", "username"], msg: "Field required", type: "missing" },
    ]);
  if (counts.logins >= settings.loginsAllowed) {
    const seconds = String(settings.retryAfter);
    const detail = "Too many requests. Please try again later.";
    return send(429, { detail, retry_after: seconds }, { "retry-after": seconds });
  }
  const form = new URLSearchParams(body.toString());
  const found = state.users.find(({ username }) => username === form.get("username"));
  if (!found || found.password !== form.get("password"))
    return fail(401, "Incorrect username or password");
  if (!found.isActive)
    return found.signedIn ? fail(401, "Inactive user") : fail(400, "Waiting for approval");
  found.signedIn = true;
  counts.logins += 1;
  const tokens = state.tokensFor(found);
  const cookie = `refresh_token_lf=${tokens.refresh_token}; HttpOnly; Secure; SameSite=None`;
  send(200, tokens, { "set-cookie": cookie });
}

function refresh({ langflow: { state, counts }, headers, send, fail }: Exchange): void {
  const token = /refresh_token_lf=([^;]+)/.exec(headers.cookie ?? "")?.[1] ?? "";
  const found = state.userOfToken(token, "refresh");
  if (!found) return fail(401, "Invalid refresh token");
  if (!found.isActive) return fail(401, "User account is inactive");
  counts.refreshes += 1;
  send(200, state.tokensFor(found));
}

function createKey({ langflow, user, json, change, send }: Exchange): void {
  const { state, counts } = langflow;
  const owner = user();
  if (!owner) return;
  counts.keys += 1;
  const { id, name, key } = state.newKey(owner.id, String(json()["name"]));
  change(() => state.keys.push({ id, userId: owner.id, name, key }));
  send(200, {
    name,
    last_used_at: null,
    total_uses: 0,
    is_active: true,
    expires_at: null,
    id,
    api_key: key,
    user_id: owner.id,
  });
}

function showUser({ user, send }: Exchange): void {
  const found = user();
  if (found) send(200, toUser(found));
}
