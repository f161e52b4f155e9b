import type { TaskPushNotificationConfig } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { z } from "zod";
import { StorableId } from "../../../platform/http/bounds.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { Receiver } from "./receivers-store.ts";

/** What may stand in a header. */
const InHeader = z.string().regex(/^[\x21-\x7e]*$/);
const Given = z.object({
  id: z.union([z.literal(""), StorableId.max(200)]),
  url: z
    .string()
    .max(2_000)
    .refine((url) => isWebAddress(url)),
  token: InHeader.max(1_000).optional(),
  authentication: z
    .object({
      scheme: z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,50}$/),
      credentials: z
        .string()
        .max(4_000)
        .regex(/^[\x20-\x7e]*$/),
    })
    .optional(),
});

/**
 * What a client says of its receiver. `usualId`: of one that names none.
 * @throws RequestMalformedError, and BadRequest `address_not_allowed`.
 */
export function readReceiver(
  outgoing: Pick<Outgoing, "check">,
  config: TaskPushNotificationConfig,
  usualId: string,
): Receiver {
  const { id, url, token, authentication } = config;
  const given = Given.safeParse({
    id,
    url,
    token: token || undefined,
    authentication: authentication?.scheme ? authentication : undefined,
  });
  if (!given.success)
    throw new RequestMalformedError(
      "Send as url an address with https, without a user or password in it, and as token and " +
        "authentication what a header can hold.",
    );
  outgoing.check(url);
  const { scheme, credentials } = given.data.authentication ?? {};
  return {
    id: id || usualId,
    url,
    scheme,
    secrets: { token: given.data.token, credentials },
  };
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

/** As its client reads it again: secrets are not shown. */
export function toConfig(
  taskId: string,
  { id, url, scheme }: Pick<Receiver, "id" | "url" | "scheme">,
): TaskPushNotificationConfig {
  const authentication = scheme === undefined ? undefined : { scheme, credentials: "" };
  return { tenant: "", taskId, id, url, token: "", authentication };
}
