import { uuidv7 } from "uuidv7";
import { sealSecret } from "../../../platform/auth/secrets.ts";
import { isOperator, userOf } from "../../../platform/http/caller.ts";
import { Conflict, Forbidden, NotFound } from "../../../platform/http/errors.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import { json } from "../../../platform/http/respond.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import {
  type NewSource,
  type Source,
  sourcesContract as contract,
  type SourceSettings,
} from "../contract-sources.ts";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";
import { type HookDeps, newHookSecret, receiveHook } from "./receive-hook.ts";
import {
  countSources,
  findSource,
  insertSource,
  listItems,
  listSources,
  removeSource,
  saveSecret,
  type StoredSource,
  updateSource,
} from "./store.ts";
import { allowedFolder } from "./walk-folder.ts";

interface Deps extends HookDeps {
  outgoing: Pick<Outgoing, "check">;
  folders: readonly string[];
  publicUrl: string;
}

const MAX_SOURCES = 100;

export function sourceRoutes(routes: Routes, deps: Deps): Routes {
  const { db, outgoing, folders, publicUrl, encryptionKey } = deps;
  const own = async (userId: string, id: string) => {
    const source = await findSource(db, id, userId);
    if (!source) throw sourceNotFound();
    return source;
  };
  const show = (source: StoredSource) => shown(source, publicUrl);
  return routes
    .on(contract.listSources, async ({ caller, query: { page, limit } }) => {
      const { items, total } = await listSources(
        db,
        userOf(caller).userId,
        limit,
        offsetOf({ page, limit }),
      );
      return { items: items.map(show), total, page, limit };
    })
    .on(contract.createSource, async ({ caller, body }) => {
      const user = userOf(caller);
      // a user may not read what the server's own process may read
      if (body.kind === "folder" && !isOperator(caller))
        throw new Forbidden(
          "admin_required",
          "Only administrators of this installation watch folders of the server. Ask one of them.",
        );
      if (body.kind === "folder") await allowedFolder(body.settings.path, folders);
      if (body.kind === "s3") outgoing.check(body.settings.endpoint);
      const { settings, secret } = apart(body);
      const { name, origin = `${body.kind}/${name}`, type, tags, isActive } = body;
      const id = uuidv7();
      const { userId, clientId } = user;
      const sealed = sealSecret(secret, encryptionKey);
      const made = { id, userId, clientId, name, origin, type, tags, isActive, settings };
      const limit = {
        key: `sources of ${userId}`,
        max: MAX_SOURCES,
        count: () => countSources(db, userId),
        code: "too_many_sources",
        message: `You have ${MAX_SOURCES} sources. Delete one first.`,
      };
      await insertWithinLimit(db, limit, () => insertSource(db, { ...made, secret: sealed }));
      const source = show(await own(userId, id));
      return source.kind === "webhook" ? { ...source, secret } : source;
    })
    .on(contract.getSource, async ({ caller, params }) =>
      show(await own(userOf(caller).userId, params.id)),
    )
    .on(contract.changeSource, async ({ caller, params, body }) => {
      const { userId } = userOf(caller);
      const before = await own(userId, params.id);
      const given = Object.fromEntries(
        Object.entries(body).filter(([, value]) => value !== undefined),
      );
      await updateSource(db, { ...before, ...given });
      return show(await own(userId, params.id));
    })
    .on(contract.removeSource, async ({ caller, params }) => {
      if (!(await removeSource(db, userOf(caller).userId, params.id))) throw sourceNotFound();
    })
    .on(contract.listSourceItems, async ({ caller, params, query: { page, limit, state } }) => {
      const { id } = await own(userOf(caller).userId, params.id);
      return { ...(await listItems(db, id, state, limit, offsetOf({ page, limit }))), page, limit };
    })
    .on(contract.renewSecret, async ({ caller, params }) => {
      const source = await own(userOf(caller).userId, params.id);
      if (source.settings.kind !== "webhook")
        throw new Conflict("no_webhook", "Only a webhook has a secret that is made here.");
      const secret = newHookSecret();
      await saveSecret(db, source.id, sealSecret(secret, encryptionKey));
      return { secret };
    })
    .on(contract.hook, async ({ params, request, peer, signal }) =>
      json(await receiveHook(deps, params.id, request, peer, signal), 202),
    );
}

/** What is secret of a new source, and what is not. */
function apart(source: NewSource): { settings: SourceSettings; secret: string } {
  if (source.kind === "webhook") return { settings: { kind: "webhook" }, secret: newHookSecret() };
  if (source.kind === "folder")
    return { settings: { kind: "folder", ...source.settings }, secret: "" };
  const { secretAccessKey, ...settings } = source.settings;
  return { settings: { kind: "s3", ...settings }, secret: secretAccessKey };
}

function shown(source: StoredSource, publicUrl: string): Source {
  const { id, name, origin, type, tags, isActive, error, settings } = source;
  const dates = {
    lookedAt: source.lookedAt?.toISOString() ?? null,
    createdAt: source.createdAt.toISOString(),
    updatedAt: source.updatedAt.toISOString(),
  };
  const common = { id, name, origin, type, tags, isActive, error, ...dates };
  if (settings.kind === "webhook")
    return { ...common, kind: "webhook", url: `${publicUrl}/api/automations/hooks/${id}` };
  if (settings.kind === "folder") return { ...common, kind: "folder", settings };
  return { ...common, kind: "s3", settings: { ...settings, secretAccessKey: "•••" } };
}

function sourceNotFound(): NotFound {
  return new NotFound("source_not_found", "There is no such source of yours.");
}
