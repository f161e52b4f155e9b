import { call, type Fetch } from "../platform/http/call.ts";
import { usersContract } from "../services/users/contract.ts";

export interface ClientOptions {
  url?: string | undefined;
  email?: string | undefined;
  password?: string | undefined;
}

type Environment = Record<string, string | undefined>;

/** The way to a running Parlance over HTTP. */
export function clientTo({ url }: ClientOptions, env: Environment): Fetch {
  const base = new URL(url ?? env["PUBLIC_URL"] ?? `http://127.0.0.1:${env["PORT"] ?? "4000"}`);
  const send = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(new URL(pathname + search, base), request));
  };
  return Object.assign(send, { label: `Parlance at ${base.origin}` });
}

/** An access token: PARLANCE_TOKEN, or a sign-in. */
export async function signInFrom(options: ClientOptions, env: Environment): Promise<string> {
  const kept = env["PARLANCE_TOKEN"];
  if (kept && !options.email) return kept;
  const email = options.email ?? env["PARLANCE_ADMIN_EMAIL"] ?? "admin@parlance.local";
  const password = options.password ?? env["PARLANCE_ADMIN_PASSWORD"];
  if (!password)
    throw new Error(
      "Who are you? Set PARLANCE_TOKEN, or PARLANCE_ADMIN_PASSWORD, or give --email and --password.",
    );
  const { accessToken } = await call(
    clientTo(options, env),
    usersContract.login,
    { body: { email, password } },
    { timeoutMs: 15_000 },
  );
  return accessToken;
}
