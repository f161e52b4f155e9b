import { sealSecret } from "../../../platform/auth/secrets.ts";
import { userOf } from "../../../platform/http/caller.ts";
import { Conflict, NotFound } from "../../../platform/http/errors.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import { json } from "../../../platform/http/respond.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { type Source, sourcesContract as contract } from "../contract-sources.ts";
import { createSource, type CreateSourceDeps } from "./create-source.ts";
import { type HookDeps, createHookSecret, receiveHook } from "./receive-hook.ts";
import {
  findSource,
  listItems,
  listSources,
  removeSource,
  saveSecret,
  type StoredSource,
  updateSource,
} from "./store.ts";

interface Deps extends HookDeps, CreateSourceDeps {
  publicUrl: string;
}

export function sourceRoutes(routes: Routes, deps: Deps): Routes {
  const { db, publicUrl, encryptionKey } = deps;
  const findOwn = async (userId: string, id: string) => {
    const source = await findSource(db, id, userId);
    if (!source) throw sourceNotFound();
    return source;
  };
  const toPublicSource = (source: StoredSource) => toSource(source, publicUrl);
  return routes
    .on(contract.listSources, async ({ caller, query: { page, limit } }) => {
      const { items, total } = await listSources(
        db,
        userOf(caller).userId,
        limit,
        offsetOf({ page, limit }),
      );
      return { items: items.map(toPublicSource), total, page, limit };
    })
    .on(contract.createSource, async ({ caller, body }) => {
      const user = userOf(caller);
      const { id, secret } = await createSource(deps, user, body);
      const source = toPublicSource(await findOwn(user.userId, id));
      return source.kind === "webhook" ? { ...source, secret } : source;
    })
    .on(contract.getSource, async ({ caller, params }) =>
      toPublicSource(await findOwn(userOf(caller).userId, params.id)),
    )
    .on(contract.changeSource, async ({ caller, params, body }) => {
      const { userId } = userOf(caller);
      const current = await findOwn(userId, params.id);
      const change = Object.fromEntries(
        Object.entries(body).filter(([, value]) => value !== undefined),
      );
      await updateSource(db, { ...current, ...change });
      return toPublicSource(await findOwn(userId, params.id));
    })
    .on(contract.removeSource, async ({ caller, params }) => {
      if (!(await removeSource(db, userOf(caller).userId, params.id)))
        throw sourceNotFound();
    })
    .on(
      contract.listSourceItems,
      async ({ caller, params, query: { page, limit, state } }) => {
        const { id } = await findOwn(userOf(caller).userId, params.id);
        return {
          ...(await listItems(db, id, state, limit, offsetOf({ page, limit }))),
          page,
          limit,
        };
      },
    )
    .on(contract.renewSecret, async ({ caller, params }) => {
      const source = await findOwn(userOf(caller).userId, params.id);
      if (source.settings.kind !== "webhook")
        throw new Conflict(
          "no_webhook",
          "Only webhooks have a secret to replace. Choose a source of that kind.",
        );
      const secret = createHookSecret();
      await saveSecret(db, source.id, sealSecret(secret, encryptionKey));
      return { secret };
    })
    .on(contract.hook, async ({ params, request, peer, signal }) =>
      json(await receiveHook(deps, params.id, request, peer, signal), 202),
    );
}

function toSource(source: StoredSource, publicUrl: string): Source {
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
  return new NotFound(
    "source_not_found",
    "You have no such source. GET /api/automations/sources lists yours.",
  );
}
