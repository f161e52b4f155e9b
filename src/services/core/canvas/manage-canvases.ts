import { diffLines } from "diff";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { Conflict, NotFound, TooLarge } from "../../../platform/http/errors.ts";
import { findConversation } from "../conversations/store.ts";
import type { Canvas, NewCanvas } from "./contract.ts";
import { findCanvas, insertCanvas, insertVersion, lockCanvas, renameCanvas, setCanvasDeleted } from "./store.ts";

/** A comparison that takes longer tells less than it costs. */
const LONGEST_DIFF_MS = 2_000;

type Owner = Pick<User, "userId" | "clientId">;

/** @throws NotFound for a conversation that is not the user's. */
export async function createCanvas(db: Database, { userId, clientId }: Owner, canvas: NewCanvas): Promise<Canvas> {
  if (canvas.conversationId !== null && !(await findConversation(db, canvas.conversationId, userId)))
    throw new NotFound("conversation_not_found", "There is no such conversation of yours.");
  const id = uuidv7();
  await insertCanvas(db, { id, userId, clientId, ...canvas });
  return readCanvas(db, userId, id);
}

/** @throws NotFound `canvas_not_found`, `version_not_found`. */
export async function readCanvas(db: Database, userId: string, id: string, version?: number): Promise<Canvas> {
  const canvas = await findCanvas(db, userId, id, { version });
  if (canvas) return canvas;
  if (version !== undefined && (await findCanvas(db, userId, id)))
    throw new NotFound("version_not_found", `The canvas has no version ${version}.`);
  throw canvasNotFound();
}

/** @throws Conflict `canvas_changed` when the base is not the newest version. */
export async function addVersion(
  db: Database,
  userId: string,
  id: string,
  { baseVersion, content, title }: { baseVersion: number; content: string; title?: string | undefined },
): Promise<Canvas> {
  await db.tx(async () => {
    const canvas = await lockCanvas(db, userId, id);
    if (!canvas) throw canvasNotFound();
    if (canvas.version !== baseVersion)
      throw new Conflict(
        "canvas_changed",
        `The canvas was changed meanwhile: its newest version is ${canvas.version}. Read it and change that.`,
        {
          details: { version: canvas.version },
        },
      );
    await insertVersion(db, id, { version: baseVersion + 1, content, title: title ?? canvas.title, createdBy: userId });
  });
  return readCanvas(db, userId, id);
}

export async function changeTitle(db: Database, userId: string, id: string, title: string): Promise<Canvas> {
  await readCanvas(db, userId, id);
  await renameCanvas(db, id, title);
  return readCanvas(db, userId, id);
}

export async function deleteCanvas(db: Database, userId: string, id: string): Promise<void> {
  await readCanvas(db, userId, id);
  await setCanvasDeleted(db, id, true);
}

export async function restoreCanvas(db: Database, userId: string, id: string): Promise<Canvas> {
  if (!(await findCanvas(db, userId, id, { deleted: true }))) throw canvasNotFound();
  await setCanvasDeleted(db, id, false);
  return readCanvas(db, userId, id);
}

/** @throws TooLarge `diff_too_large` where the versions differ too much to be compared in time. */
export async function diffVersions(db: Database, userId: string, id: string, from: number, to: number) {
  const [before, after] = [await readCanvas(db, userId, id, from), await readCanvas(db, userId, id, to)];
  const changes = diffLines(before.content, after.content, { timeout: LONGEST_DIFF_MS });
  if (!changes) throw new TooLarge("diff_too_large", "These versions differ too much to be compared line by line. Read both.");
  return {
    from,
    to,
    changes: changes.map(({ added, removed, value, count }) => ({
      kind: added ? ("added" as const) : removed ? ("removed" as const) : ("same" as const),
      lines: count,
      text: value,
    })),
  };
}

function canvasNotFound(): NotFound {
  return new NotFound("canvas_not_found", "There is no such canvas of yours.");
}
