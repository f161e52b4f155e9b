import { type ClientOptions, signInFrom } from "./client.ts";

/** Prints an access token, for `curl -H "Authorization: Bearer $(npm run -s parlance token)"`. */
export async function token(
  options: ClientOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  console.log(await signInFrom(options, env));
  return 0;
}
