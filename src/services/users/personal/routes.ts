import type { Database } from "../../../platform/db/database.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import { readPage } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import {
  type AccountDeps,
  changeFlowAccount,
  createFlowAccount,
  deleteFlowAccount,
  getFlowAccount,
} from "../flow-accounts/flow-accounts.ts";
import { accountsContract } from "../contract-flow-accounts.ts";
import { personalContract as contract } from "../contract-personal.ts";
import { findNames } from "../accounts/known-users.ts";
import { unknownUser } from "../accounts/manage-users.ts";
import { ownAccount } from "../accounts/own-account.ts";
import { updateUser } from "../accounts/users-store.ts";
import { addMark, listMarks, type MarkKind, removeMark } from "./marks.ts";
import { changePreferences, getPreferences } from "./preferences.ts";
import { getTags, listTagged, listTags, setTags } from "./tags.ts";

interface MarkDeps {
  db: Database;
  maxMarks: number;
}

export function personalRoutes(routes: Routes, deps: AccountDeps & MarkDeps): void {
  const { db } = deps;
  markRoutes(routes, deps, "pin", contract.listPins, contract.addPin, contract.removePin);
  markRoutes(
    routes,
    deps,
    "favorite",
    contract.listFavorites,
    contract.addFavorite,
    contract.removeFavorite,
  );

  routes
    .on(contract.listTags, ({ caller, query }) => {
      const user = userIdFor(caller, query.userId);
      return readPage(query, (limit, offset) =>
        listTags(db, user, query.resourceType, limit, offset),
      );
    })
    .on(contract.listTagged, ({ caller, params, query }) => {
      const user = userIdFor(caller, query.userId);
      return readPage(query, (limit, offset) =>
        listTagged(db, user, params.tag, query.resourceType, limit, offset),
      );
    })
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
      const { id } = await ownAccount(db, caller);
      const user = await updateUser(db, id, body);
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
    .on(accountsContract.deleteFlowAccount, ({ params }) =>
      deleteFlowAccount(deps, params.userId),
    );
}

function markRoutes(
  routes: Routes,
  deps: MarkDeps,
  kind: MarkKind,
  list: typeof contract.listPins,
  add: typeof contract.addPin,
  remove: typeof contract.removePin,
): void {
  routes
    .on(list, ({ caller, query }) => {
      const user = userIdFor(caller, query.userId);
      return readPage(query, (limit, offset) =>
        listMarks(deps.db, user, kind, query.resourceType, limit, offset),
      );
    })
    .on(add, ({ caller, params, query }) =>
      addMark(deps, userIdFor(caller, query.userId), kind, params),
    )
    .on(remove, ({ caller, params, query }) =>
      removeMark(deps.db, userIdFor(caller, query.userId), kind, params),
    );
}

/** The calling user, whatever the request names; for services, the user that it names. */
function userIdFor(caller: Caller, named: string | undefined): string {
  if (caller.kind === "user") return caller.userId;
  if (named === undefined)
    throw new BadRequest("user_missing", "Name the user with ?userId=….");
  return named;
}

/** Names of users. Only services see emails. */
async function listNames(
  db: Database,
  caller: Caller,
  { ids, clientId = null }: { ids: string[]; clientId?: string | null | undefined },
) {
  const rows = await findNames(
    db,
    ids,
    caller.kind === "user" ? caller.clientId : clientId,
  );
  return rows.map(({ id, name, email }) => ({
    id,
    name,
    ...(caller.kind === "service" && { email }),
  }));
}
