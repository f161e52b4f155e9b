import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { Conflict } from "../../../platform/http/errors.ts";
import {
  findChoice,
  saveChoice,
  toWanted,
  type WantedModel,
  MODEL,
  MODELS_LOCK,
  type StoredModel,
  forgetRefusals,
} from "./models-store.ts";
import { indexModel } from "./vector-index.ts";

/**
 * Adopts the chosen model, or the configured one if none was chosen. It is used at once if no model
 * is in use; otherwise it is the next model, and replaces the one in use when it has embedded
 * everything. Several processes may start at once.
 */
export async function adoptModel(db: Database, configured: WantedModel): Promise<void> {
  await decide(db, async () => putIntoUse(db, (await findChoice(db)) ?? configured, false));
}

/**
 * Stores which model is wanted, and begins the change to it. Of several choices the last one
 * counts. Texts that the model refused before are tried again.
 */
export async function chooseModel(
  db: Database,
  chosen: WantedModel,
  configured: WantedModel,
): Promise<void> {
  await decide(db, async () => {
    await saveChoice(db, isConfigured(chosen, configured) ? undefined : chosen);
    await putIntoUse(db, chosen, true);
  });
}

/**
 * Ends the change in progress. The model in use stays, also after a restart.
 * @throws Conflict `embedding_change_absent`.
 */
export async function cancelChange(db: Database, configured: WantedModel): Promise<void> {
  await decide(db, async () => {
    const models = await db.query<StoredModel>(
      sql`select ${MODEL} from documents.embedding_models where state <> 'retired'`,
    );
    const active = models.find(({ state }) => state === "active");
    if (!active || models.length < 2)
      throw new Conflict(
        "embedding_change_absent",
        "No change of the embedding model is in progress. GET /api/v1/embed/model says which is in use.",
      );
    const kept = toWanted(active);
    await saveChoice(db, isConfigured(kept, configured) ? undefined : kept);
    await db.query(
      sql`update documents.embedding_models set state = 'retired' where state = 'building'`,
    );
  });
}

/** One process at a time decides. Making an index may take any time. */
function decide(db: Database, work: () => Promise<void>): Promise<void> {
  return db.tx(
    async () => {
      await db.query(MODELS_LOCK);
      await work();
    },
    { unbounded: true },
  );
}

async function putIntoUse(
  db: Database,
  wanted: WantedModel,
  triesAgain: boolean,
): Promise<void> {
  const { name, provider, dimensions, availableModelId = null, server = null } = wanted;
  const models = await db.query<StoredModel>(
    sql`select ${MODEL} from documents.embedding_models`,
  );
  const active = models.find(({ state }) => state === "active");
  const known = models.find((one) => one.name === name && one.dimensions === dimensions);
  await db.query(
    sql`update documents.embedding_models set state = 'retired'
      where state = 'building' and (name, dimensions) <> (${name}, ${dimensions}::int)`,
  );
  // another server, or the same one with other limits, may accept texts that were refused
  const isUnchanged =
    known?.provider === provider && known.server === server && known.failure === null;
  if (known && (triesAgain || !isUnchanged)) await forgetRefusals(db, known.id);
  const state = active && active !== known ? "building" : "active";
  // the same model at another server: its vectors are comparable
  const [updated] = await db.query<StoredModel>(sql`update documents.embedding_models
    set state = ${state}, provider = ${provider}, available_model_id = ${availableModelId},
      server = ${server}, failure = null
    where (name, dimensions) = (${name}, ${dimensions}::int) returning ${MODEL}`);
  const [used] = updated
    ? [updated]
    : await db.query<StoredModel>(sql`insert into documents.embedding_models
        (name, provider, dimensions, state, available_model_id, server, index_type)
      values (${name}, ${provider}, ${dimensions}, ${state}, ${availableModelId}, ${server},
        case when version() like '%wasm%' then 'vector' else 'halfvec' end)
      returning ${MODEL}`);
  // the model in use has its index already, and making one blocks writers of vectors
  if (used && used.id !== active?.id) await indexModel(db, used);
}

function isConfigured(one: WantedModel, configured: WantedModel): boolean {
  return (
    one.name === configured.name &&
    one.dimensions === configured.dimensions &&
    one.availableModelId === undefined
  );
}
