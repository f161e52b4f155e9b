import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { EmbeddingModel } from "../models/embedding-model.ts";

/** A model to be used, and the server that embeds with it. */
export type WantedModel = Pick<
  EmbeddingModel,
  "name" | "provider" | "dimensions" | "availableModelId" | "server"
>;

interface Row {
  name: string;
  provider: string;
  dimensions: number;
  availableModelId: string | null;
  server: string | null;
}

/** The model that an administrator chose, if one did. */
export async function findChoice(db: Database): Promise<WantedModel | undefined> {
  const [row] = await db.query<Row>(sql`select name, provider, dimensions, server,
    available_model_id as "availableModelId" from documents.embedding_choice`);
  return row && toWanted(row);
}

/** Replaces the choice; without one, the environment names the model. */
export async function saveChoice(
  db: Database,
  choice: WantedModel | undefined,
): Promise<void> {
  await db.query(sql`delete from documents.embedding_choice`);
  if (!choice) return;
  const { name, provider, dimensions, availableModelId = null, server = null } = choice;
  await db.query(sql`insert into documents.embedding_choice
      (name, provider, dimensions, available_model_id, server)
    values (${name}, ${provider}, ${dimensions}, ${availableModelId}, ${server})`);
}

export function toWanted({ availableModelId, server, ...model }: Row): WantedModel {
  return {
    name: model.name,
    provider: model.provider,
    dimensions: model.dimensions,
    ...(availableModelId !== null && { availableModelId }),
    ...(server !== null && { server }),
  };
}
