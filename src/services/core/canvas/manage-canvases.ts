import sql from "sql-template-tag";
import { refuseFullTrash } from "../refuse-full-trash.ts";
import { uuidv7 } from "uuidv7";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";
import type { User } from "../../../platform/http/caller.ts";
import { Conflict, TooLarge } from "../../../platform/http/errors.ts";
import { compareTexts } from "../compare-texts.ts";
import { conversationFor } from "../conversations/access.ts";
import { type CanvasDeps, canvasFor, canvasNotFound, type Person } from "./access.ts";
import type { Canvas, NewCanvas } from "./contract.ts";
import type { Change } from "../diff-text.ts";
import { refuseBeyondQuota, refuseManyVersions } from "../limit-versions.ts";
import {
  countCanvases,
  insertCanvas,
  insertVersion,
  lockCanvas,
  renameCanvas,
  setCanvasDeleted,
} from "./store.ts";

/**
 * Sent with a change. The token of the writer's lock proves that nobody else has acquired it since.
 */
interface Writing {
  lockToken?: number | undefined;
}

/** The reply in which a model writes. Absent: a person does. */
interface Author {
  messageId?: string | undefined;
}

/**
 * Creates a canvas. In a conversation it belongs to the owner of that, and everyone who sees the
 * conversation sees it.
 * @throws NotFound, Forbidden for a conversation that the user may not write in.
 */
export async function createCanvas(
  deps: CanvasDeps,
  user: Person & Pick<User, "clientId">,
  canvas: NewCanvas & Author,
): Promise<Canvas> {
  const { userId, clientId } = user;
  const conversation =
    canvas.conversationId &&
    (await conversationFor(deps, user, canvas.conversationId, "editor"));
  if (canvas.conversationId)
    await deps.sharing.refuseLocked("conversation", canvas.conversationId, userId);
  const id = uuidv7();
  const ownerId = conversation ? conversation.userId : userId;
  const rows = sql`core.canvases where user_id = ${ownerId}`;
  await refuseFullTrash(deps.db, rows, deps.maxCanvases);
  await refuseBeyondQuota(deps.db, ownerId, canvas.content, deps.maxVersionsBytes);
  await insertWithinLimit(deps.db, limitOf(deps, ownerId), () =>
    insertCanvas(deps.db, { id, userId: ownerId, clientId, createdBy: userId, ...canvas }),
  );
  return canvasFor(deps, user, id, "viewer");
}

/**
 * @throws Conflict `canvas_changed` when the base is not the newest version; what `refuseLocked`
 * and `refuseManyVersions` throw.
 */
export async function addVersion(
  deps: CanvasDeps,
  user: Person,
  id: string,
  {
    baseVersion,
    content,
    title,
    lockToken,
    messageId,
  }: { baseVersion: number; content: string; title?: string | undefined } & Writing &
    Author,
): Promise<Canvas> {
  const { db } = deps;
  await db.tx(async () => {
    const newest = await lockedForChange(deps, user, id, { lockToken });
    if (newest.version !== baseVersion)
      throw new Conflict(
        "canvas_changed",
        `The canvas was changed in the meantime: its newest version is ${newest.version}. Read it and change that.`,
        { params: { version: newest.version }, details: { version: newest.version } },
      );
    refuseManyVersions(baseVersion + 1, deps.maxVersions);
    await refuseBeyondQuota(db, newest.userId, content, deps.maxVersionsBytes);
    await insertVersion(db, id, {
      version: baseVersion + 1,
      content,
      title: title ?? newest.title,
      createdBy: user.userId,
      messageId,
    });
  });
  return canvasFor(deps, user, id, "viewer");
}

export async function changeTitle(
  deps: CanvasDeps,
  user: Person,
  id: string,
  { title, lockToken }: { title: string } & Writing,
): Promise<Canvas> {
  await deps.db.tx(async () => {
    await lockedForChange(deps, user, id, { lockToken });
    await renameCanvas(deps.db, id, title);
  });
  return canvasFor(deps, user, id, "viewer");
}

/**
 * Locks a canvas that the user may change until the transaction ends. @returns its newest version
 * and title.
 */
async function lockedForChange(
  deps: CanvasDeps,
  user: Person,
  id: string,
  { lockToken }: Writing,
) {
  const newest = await lockCanvas(deps.db, id);
  if (!newest) throw canvasNotFound();
  const { conversationId } = await canvasFor(deps, user, id, "editor");
  if (conversationId !== null)
    await deps.sharing.refuseLocked("conversation", conversationId, user.userId, lockToken);
  return newest;
}

export async function deleteCanvas(
  deps: CanvasDeps,
  user: Person,
  id: string,
): Promise<void> {
  const { conversationId } = await canvasFor(deps, user, id, "owner");
  if (conversationId !== null)
    await deps.sharing.refuseLocked("conversation", conversationId, user.userId);
  await setCanvasDeleted(deps.db, id, true);
}

export async function restoreCanvas(
  deps: CanvasDeps,
  user: Person,
  id: string,
): Promise<Canvas> {
  await canvasFor(deps, user, id, "owner", { deleted: true });
  // only owners see a canvas in the trash
  await insertWithinLimit(deps.db, limitOf(deps, user.userId), () =>
    setCanvasDeleted(deps.db, id, false),
  );
  return canvasFor(deps, user, id, "viewer");
}

function limitOf({ db, maxCanvases }: CanvasDeps, ownerId: string) {
  return {
    key: `canvases of ${ownerId}`,
    max: maxCanvases,
    count: () => countCanvases(db, ownerId),
    code: "too_many_canvases",
    message: `Their owner has ${maxCanvases} canvases, the most that one may have. Delete some first.`,
  };
}

/** @throws TooLarge `diff_too_large` when the versions differ too much to be compared in time. */
export async function diffVersions(
  deps: CanvasDeps,
  user: Person,
  id: string,
  { from, to }: { from: number; to: number },
  signal: AbortSignal,
) {
  const [before, after] = [
    await canvasFor(deps, user, id, "viewer", { version: from }),
    await canvasFor(deps, user, id, "viewer", { version: to }),
  ];
  const changes = await compareTexts(
    deps.workers,
    { before: before.content, after: after.content, by: "line" },
    { userId: user.userId, signal },
  );
  if (!changes)
    throw new TooLarge(
      "diff_too_large",
      "These versions differ too much to be compared line by line. Read both.",
    );
  const toLines = ({ kind, count, text }: Change) => ({ kind, lines: count, text });
  return { from, to, changes: changes.map(toLines) };
}
