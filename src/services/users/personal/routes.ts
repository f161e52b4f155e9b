import type { Database } from "../../../platform/db/database.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import {
  type AccountDeps,
  changeFlowAccount,
  createFlowAccount,
  deleteFlowAccount,
  getFlowAccount,
} from "../accounts/flow-accounts.ts";
import { accountsContract } from "../contract-accounts.ts";
import { personalContract as contract } from "../contract-personal.ts";
import { findNames } from "../identity/known-users.ts";
import { unknownUser } from "../identity/manage-users.ts";
import { updateUser } from "../identity/users-store.ts";
import { userId } from "../user-id.ts";
import { addMark, listMarks, type MarkKind, removeMark } from "./marks.ts";
import { changePreferences, getPreferences } from "./preferences.ts";
import { getTags, listTagged, listTags, setTags } from "./tags.ts";

export function personalRoutes(routes: Routes, deps: AccountDeps & { maxMarks: number }): void {
  const { db } = deps;
  const markRoutes = (
    kind: MarkKind,
    list: typeof contract.listPins,
    add: typeof contract.addPin,
    remove: typeof contract.removePin,
  ) =>
    routes
      .on(list, async ({ caller, query: { page, limit, resourceType, userId: of } }) => ({
        ...(await listMarks(
          db,
          userIdFor(caller, of),
          kind,
          resourceType,
          limit,
          offsetOf({ page, limit }),
        )),
        page,
        limit,
      }))
      .on(add, ({ caller, params, query }) =>
        addMark(deps, userIdFor(caller, query.userId), kind, params),
      )
      .on(remove, ({ caller, params, query }) =>
        removeMark(db, userIdFor(caller, query.userId), kind, params),
      );
  markRoutes("pin", contract.listPins, contract.addPin, contract.removePin);
  markRoutes("favorite", contract.listFavorites, contract.addFavorite, contract.removeFavorite);

  routes
    .on(
      contract.listTags,
      async ({ caller, query: { page, limit, resourceType, userId: of } }) => ({
        ...(await listTags(
          db,
          userIdFor(caller, of),
          resourceType,
          limit,
          offsetOf({ page, limit }),
        )),
        page,
        limit,
      }),
    )
    .on(
      contract.listTagged,
      async ({ caller, params, query: { page, limit, resourceType, userId: of } }) => ({
        ...(await listTagged(
          db,
          userIdFor(caller, of),
          params.tag,
          resourceType,
          limit,
          offsetOf({ page, limit }),
        )),
        page,
        limit,
      }),
    )
    .on(contract.getTags, ({ caller, params, query }) =>
      getTags(db, userIdFor(caller, query.userId), params),
    )
    .on(contract.setTags, ({ caller, params, query, body }) =>
      setTags(deps, userIdFor(caller, query.userId), params, body.tags),
    )
    .on(contract.getPreferences, ({ caller, query }) =>
      getPreferences(db, userIdFor(caller, query.userId)),
    )
    .on(contract.changePreferences, ({ caller, query, body }) =>
      changePreferences(db, userIdFor(caller, query.userId), body),
    )
    .on(contract.userInfo, async ({ caller, query }) => ({
      items: await listNames(db, caller, query),
    }))
    .on(contract.changeMe, async ({ caller, body }) => {
      const user = await updateUser(db, userId(caller), body);
      if (!user) throw unknownUser();
      return user;
    })
    .on(accountsContract.getFlowAccount, async ({ caller, query }) =>
      getFlowAccount(deps, userIdFor(caller, query.userId)),
    )
    .on(accountsContract.createFlowAccount, ({ body }) => createFlowAccount(deps, body))
    .on(accountsContract.changeFlowAccount, ({ params, body }) =>
      changeFlowAccount(deps, params.userId, body),
    )
    .on(accountsContract.deleteFlowAccount, ({ params }) => deleteFlowAccount(deps, params.userId));
}

/** The calling user, whatever the request names; for services, the user that it names. */
function userIdFor(caller: Caller, named: string | undefined): string {
  if (caller.kind === "user") return caller.userId;
  if (named === undefined) throw new BadRequest("user_missing", "Name the user with ?userId=….");
  return named;
}

/** Names of users. Only services see emails. */
async function listNames(
  db: Database,
  caller: Caller,
  { ids, clientId = null }: { ids: string[]; clientId?: string | null | undefined },
) {
  const rows = await findNames(db, ids, caller.kind === "user" ? caller.clientId : clientId);
  return rows.map(({ id, name, email }) => ({
    id,
    name,
    ...(caller.kind === "service" && { email }),
  }));
}
