import { setTimeout as sleep } from "node:timers/promises";
import type { Running } from "../processes.ts";
import { AS_SERVICE } from "../server.ts";

const PAGE_SIZE = 100;
export const BY_JOBS = "the rest of the trash, and vacuuming, by jobs";

/** The address of a user whom `signUp` makes. */
export const emailOf = (number: number) => `user${number}@parlance.local`;

export type Call = (method: string, path: string, body?: object) => Promise<Response>;

/** Requests in the name of the user whose token this is. */
export function callAs(port: number, token: string): Call {
  return (method, path, body) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(120_000),
    });
}

interface Users {
  /** Who has one long conversation, who a full trash, who is deleted, and who stays. */
  long: number;
  trash: number;
  leaver: number;
  other: number;
}

/** The number of a user whose token is wanted; the administrator's without one. */
type SignIn = (number?: number) => Promise<string>;

/** What is deleted, in its order. Each step ends when all of it is gone. */
export function deletionSteps(
  { port, pid }: Running,
  signIn: SignIn,
  { long, trash, leaver, other }: Users,
): Record<string, () => Promise<void>> {
  const as = async (number?: number) => callAs(port, await signIn(number));
  return {
    "a long conversation": async () => {
      const call = await as(long);
      const { items } = await readList(call, "/api/v1/conversation/chat-history");
      const id = items[0]?.id;
      await succeed(call("DELETE", `/api/v1/conversation/${id}`));
      await succeed(call("DELETE", `/api/v1/conversation/trash/${id}`));
    },
    "part of the trash, by its user": async () => {
      const call = await as(trash);
      const { total } = await readList(call, "/api/v1/conversation/trash");
      for (let left = total / 3; left > 0; left -= PAGE_SIZE) {
        const { items } = await readList(call, "/api/v1/conversation/trash");
        for (const { id } of items)
          await succeed(call("DELETE", `/api/v1/conversation/trash/${id}`));
      }
    },
    [BY_JOBS]: async () => {
      process.kill(pid, "SIGUSR2");
      await jobsRan(port, ["purge-trash", "vacuum-database"]);
    },
    "a user": async () => deleteUsers(await as(), (email) => email === emailOf(leaver)),
    "all other users": async () =>
      deleteUsers(await as(), (email) => /^user\d/.test(email) && email !== emailOf(other)),
  };
}

async function succeed(asked: Promise<Response>): Promise<Response> {
  const answer = await asked;
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${await answer.text()}`);
  return answer;
}

interface Page {
  items: { id: string; email?: string }[];
  total: number;
}

async function readList(call: Call, path: string): Promise<Page> {
  const separator = path.includes("?") ? "&" : "?";
  const answer = await succeed(call("GET", `${path}${separator}limit=${PAGE_SIZE}`));
  return (await answer.json()) as Page;
}

/** Deletes users with their data, and waits until every service has done its part. */
async function deleteUsers(call: Call, isDeleted: (email: string) => boolean) {
  const { items } = await readList(call, "/api/v1/users");
  for (const { id, email = "" } of items)
    if (isDeleted(email)) await succeed(call("DELETE", `/api/v1/users/${id}`));
  for (;;) {
    const { total } = await readList(call, "/api/v1/users/deleted?open=true");
    if (total === 0) return;
    await sleep(500);
  }
}

/** Waits for the first runs of those of these jobs that the server has. */
async function jobsRan(port: number, names: readonly string[]): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/health`, { headers: AS_SERVICE });
    const { jobs } = (await answer.json()) as { jobs: { name: string; runs: number }[] };
    const waited = jobs.filter(({ name }) => names.includes(name));
    if (waited.every(({ runs }) => runs > 0)) return;
    await sleep(500);
  }
}
