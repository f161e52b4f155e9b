import { call, type Fetch } from "../platform/http/call.ts";
import { usersContract } from "../services/users/contract.ts";
import { ApiError } from "../platform/http/errors.ts";
import { documentsContract } from "../services/documents/contract.ts";
import { UploadedDocument } from "../services/documents/contract-stored.ts";

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

const UPLOAD_TIMEOUT_MS = 600_000;

/** Uploads a file into a folder, or to the top. @throws ApiError, as the server says it. */
export async function uploadFile(
  client: Fetch,
  file: Blob,
  name: string,
  folderId: string | undefined,
): Promise<UploadedDocument> {
  const form = new FormData();
  if (folderId) form.set("folderId", folderId);
  form.set("file", file, name);
  const signal = AbortSignal.timeout(UPLOAD_TIMEOUT_MS);
  const response = await client(
    new Request(`http://documents${documentsContract.upload.path}`, {
      method: "POST",
      body: form,
      signal,
    }),
  );
  const body: unknown = await response.json();
  if (response.ok) return UploadedDocument.parse(body);
  const { error, code } = body as { error?: string; code?: string };
  throw new ApiError(
    response.status,
    code ?? "upload_failed",
    error ?? `The upload failed with status ${response.status}.`,
  );
}
