import { call, type Fetch } from "../platform/http/call.ts";
import { usersContract } from "../services/users/contract.ts";

export interface ClientOptions {
  url?: string | undefined;
  email?: string | undefined;
  password?: string | undefined;
}

type Environment = Record<string, string | undefined>;

/** A `fetch` for a running server. */
export function clientTo({ url }: ClientOptions, env: Environment): Fetch {
  const base = new URL(
    url ?? env["PUBLIC_URL"] ?? `http://127.0.0.1:${env["PORT"] ?? "4000"}`,
  );
  const send = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(new URL(pathname + search, base), request));
  };
  return Object.assign(send, { label: `Parlance at ${base.origin}` });
}

/** Returns PARLANCE_TOKEN, or signs in and returns the access token. */
export async function signInFrom(
  options: ClientOptions,
  env: Environment,
): Promise<string> {
  const token = env["PARLANCE_TOKEN"];
  if (token && !options.email) return token;
  const email = options.email ?? env["PARLANCE_ADMIN_EMAIL"] ?? "admin@parlance.local";
  const password = options.password ?? env["PARLANCE_ADMIN_PASSWORD"];
  if (!password)
    throw new Error(
      "No credentials. Set PARLANCE_TOKEN or PARLANCE_ADMIN_PASSWORD, or pass --email and --password.",
    );
  const { accessToken } = await call(
    clientTo(options, env),
    usersContract.login,
    { body: { email, password } },
    { timeoutMs: 15_000 },
  );
  return accessToken;
}

/** A `fetch` for a running server, with the credential of PARLANCE_TOKEN or of a new sign-in. */
export async function signedInClient(
  options: ClientOptions,
  env: Environment,
): Promise<Fetch> {
  const authorization = `Bearer ${await signInFrom(options, env)}`;
  const send = clientTo(options, env);
  const client: Fetch = (request) => {
    request.headers.set("authorization", authorization);
    return send(request);
  };
  return Object.assign(client, { label: send.label });
}
