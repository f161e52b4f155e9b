import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";
import { Conflict, NotFound, TooLarge } from "../../../platform/http/errors.ts";
import type { Agent, TreeFolder } from "./contract.ts";
import type { Folder } from "./contract-folders.ts";
import {
  countLevels,
  findFolder,
  insertFolder,
  listFolders,
  lockTree,
  pathOf,
  removeFolder,
  updateFolder,
} from "./folders-store.ts";
import { MAX_ANSWER_CHARACTERS } from "../max-answer.ts";
import { readAgentsOf, sizeOfAgents } from "./store.ts";

const MAX_LEVELS = 20;
/** The maximum number of folders, because a tree is read whole. */
export const MAX_FOLDERS = 1_000;
export const MAX_AGENTS = 2_000;

/** @throws NotFound for an unknown parent, Conflict `folder_too_deep`, `too_many_folders`. */
export async function createFolder(
  { db, maxFolders }: { db: Database; maxFolders: number },
  ownerId: string,
  { name, parentId }: { name: string; parentId: string | null },
): Promise<Folder> {
  const id = uuidv7();
  const limit = {
    key: `agent folders of ${ownerId}`,
    max: maxFolders,
    count: async () => (await listFolders(db, ownerId, 1, 0)).total,
    code: "too_many_folders",
    message: `You have ${maxFolders} folders, the most that one may have. Delete some first.`,
  };
  await insertWithinLimit(db, limit, async () => {
    await lockTree(db, ownerId);
    if (parentId !== null) await checkParent(db, ownerId, parentId, undefined);
    await insertFolder(db, { id, ownerId, name, parentId });
  });
  return own(db, ownerId, id);
}

/**
 * Renames or moves a folder.
 * @throws Conflict `folder_cycle` for a move into itself or below, `folder_too_deep`.
 */
export async function changeFolder(
  db: Database,
  ownerId: string,
  id: string,
  change: { name?: string | undefined; parentId?: string | null | undefined },
): Promise<Folder> {
  await db.tx(async () => {
    await lockTree(db, ownerId);
    await own(db, ownerId, id);
    if (change.parentId) await checkParent(db, ownerId, change.parentId, id);
    await updateFolder(db, id, change);
  });
  return own(db, ownerId, id);
}

export async function deleteFolder(
  db: Database,
  ownerId: string,
  id: string,
): Promise<void> {
  await db.tx(async () => {
    await lockTree(db, ownerId);
    await removeFolder(db, await own(db, ownerId, id));
  });
}

/**
 * Returns all folders of an owner, and all agents unless `none` are wanted.
 * @throws TooLarge `agents_too_large`.
 */
export async function readTree(
  db: Database,
  ownerId: string,
  wanted: "all" | "none",
): Promise<{ folders: TreeFolder[]; agents: Agent[] }> {
  if (wanted === "all" && (await sizeOfAgents(db, ownerId)) > MAX_ANSWER_CHARACTERS)
    throw new TooLarge(
      "agents_too_large",
      `Your agents have more than ${MAX_ANSWER_CHARACTERS} characters together. Read the folders alone with ?agents=none, and the agents by pages.`,
      { params: { max: MAX_ANSWER_CHARACTERS } },
    );
  const [{ items: folders }, agents] = await Promise.all([
    listFolders(db, ownerId, MAX_FOLDERS, 0),
    readAgentsOf(db, ownerId, wanted === "all" ? MAX_AGENTS : 0),
  ]);
  const grow = (parentId: string | null): TreeFolder[] =>
    folders
      .filter((folder) => folder.parentId === parentId)
      .map(({ id, name }) => ({
        id,
        name,
        parentId,
        children: grow(id),
        agents: agents.filter(({ folderId }) => folderId === id),
      }));
  return {
    folders: grow(null),
    agents: agents.filter(({ folderId }) => folderId === null),
  };
}

async function checkParent(
  db: Database,
  ownerId: string,
  parentId: string,
  moved: string | undefined,
): Promise<void> {
  await own(db, ownerId, parentId);
  const path = await pathOf(db, parentId);
  if (moved !== undefined && path.includes(moved))
    throw new Conflict(
      "folder_cycle",
      "A folder cannot be moved into itself or into a folder inside it. Choose another " +
        "one.",
    );
  const levels = moved === undefined ? 1 : await countLevels(db, moved, MAX_LEVELS);
  if (path.length + levels > MAX_LEVELS)
    throw new Conflict(
      "folder_too_deep",
      `Folders may be nested ${MAX_LEVELS} levels deep. Choose a folder at a higher level.`,
      { params: { max: MAX_LEVELS } },
    );
}

async function own(db: Database, ownerId: string, id: string): Promise<Folder> {
  const folder = await findFolder(db, ownerId, id);
  if (!folder)
    throw new NotFound(
      "folder_not_found",
      "There is no such folder of yours. GET /api/v1/agent/folders lists them.",
    );
  return folder;
}
