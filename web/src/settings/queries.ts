import { queryOptions } from "@tanstack/react-query";
import { usersContract } from "../../../src/services/users/contract.ts";
import { permissionsContract } from "../../../src/services/users/contract-permissions.ts";
import { personalContract } from "../../../src/services/users/contract-personal.ts";
import { sessionsContract } from "../../../src/services/users/contract-sessions.ts";
import type { RouteInput } from "../../../src/platform/http/route.ts";
import { call } from "../api/call.ts";
import { urlOf } from "../api/request.ts";
import { pagedQuery } from "../shell/paged.ts";
import { signIn } from "../shell/queries.ts";

const PAGE = 50;

export type NewKey = RouteInput<typeof usersContract.createApiKey>["body"];

export const sessionsQuery = pagedQuery({
  queryKey: ["settings", "sessions"],
  load: (page, signal) =>
    call(sessionsContract.listSessions, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ id }) => id,
});

export const keysQuery = pagedQuery({
  queryKey: ["settings", "keys"],
  load: (page, signal) =>
    call(usersContract.listApiKeys, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ id }) => id,
});

/** All permissions; there are fewer than a page holds. */
export const permissionsQuery = queryOptions({
  queryKey: ["permissions"],
  queryFn: ({ signal }) =>
    call(permissionsContract.listPermissions, { query: { limit: 100 } }, { signal }),
  staleTime: Infinity,
});

export function changeName(name: string) {
  return call(personalContract.changeMe, { body: { name } });
}

interface PasswordChange {
  email: string;
  currentPassword: string;
  newPassword: string;
}

/** Changing a password ends every session, this one too; the new password begins another. */
export async function changePassword({ email, ...body }: PasswordChange): Promise<void> {
  await call(usersContract.changePassword, { body });
  await signIn({ email, password: body.newPassword });
}

export function endSession(id: string) {
  return call(sessionsContract.endOneSession, { params: { id } });
}

export function endOtherSessions() {
  return call(sessionsContract.endOtherSessions, {});
}

export function createKey(body: NewKey) {
  return call(usersContract.createApiKey, { body });
}

export function revokeKey(id: string) {
  return call(usersContract.deleteApiKey, { params: { id } });
}

export const exportAddress = urlOf(usersContract.exportMe.path, {});
