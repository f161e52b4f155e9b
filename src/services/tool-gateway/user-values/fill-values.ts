import { BadRequest, NotFound } from "../../../platform/http/errors.ts";
import type { Gateway } from "../gateway.ts";
import { headerTemplatesOf } from "./header-templates.ts";
import type { UserValues } from "./store.ts";

export interface FillValuesDeps {
  gateway: Pick<Gateway, "session">;
  values: UserValues;
  /** Announces to all replicas that the values changed by which the tools of a server are read. */
  announce: (server: string) => Promise<void>;
}

interface Filling {
  server: string;
  userId: string;
  /** By name; what is not named stays as it was. */
  values: Readonly<Record<string, string>>;
  /** Whether the tools of the server are to be read with them. */
  lists: boolean;
}

/**
 * Keeps what a user fills in for the headers of a tool server.
 * @throws NotFound `tool_server_not_found`, BadRequest `tool_values_unknown`.
 */
export async function fillValues(
  { gateway, values: store, announce }: FillValuesDeps,
  { server: name, userId, values, lists }: Filling,
): Promise<void> {
  const server = gateway.session(name)?.server;
  const templates = server && headerTemplatesOf(server);
  if (!server || !templates) throw withoutValues(name);
  const unknown = Object.keys(values).find((one) => !templates.secrets.includes(one));
  if (unknown !== undefined) throw unknownValue(name, unknown, templates.secrets);
  const before = await store.find(name, userId);
  // of another address nothing is taken over
  const kept = before?.url === server.url ? before.values : {};
  const wanted = Object.entries({ ...kept, ...values }).filter(([one]) =>
    templates.secrets.includes(one),
  );
  const filled = { server: name, userId, url: server.url, lists };
  await store.save({ ...filled, values: Object.fromEntries(wanted) });
  if (lists || before?.lists) await announce(name);
}

function withoutValues(name: string): NotFound {
  return new NotFound(
    "tool_server_not_found",
    `No tool server "${name}" that asks for values of each user is in use. ` +
      "GET /api/v1/tool-connections lists those that do.",
    { params: { name } },
  );
}

function unknownValue(server: string, name: string, known: readonly string[]): BadRequest {
  return new BadRequest(
    "tool_values_unknown",
    `"${server}" asks for no value "${name}". Send some of: ${known.join(", ") || "none"}.`,
    { params: { server, name } },
  );
}
