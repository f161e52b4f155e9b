import type { User } from "../../../platform/http/caller.ts";
import type { TakenFiles } from "../../completion/contract-provider-kinds.ts";
import type { PermittedUse } from "../permitted-use.ts";
import { agentIdOf } from "./list-models.ts";

/** The files that a model, or the model of an agent, takes as they are. @throws as choosing one. */
export async function takenBy(
  use: Pick<PermittedUse, "chooseModel" | "findAgent">,
  user: User,
  name: string,
): Promise<TakenFiles> {
  const agentId = agentIdOf(name);
  if (agentId === undefined) return (await use.chooseModel(user, name)).takes;
  const agent = await use.findAgent(user, agentId);
  // a flow reads text
  if (agent.type === "workflow") return { pdfBytes: 0, audio: [] };
  return (await use.chooseModel(user, agent.model ?? undefined)).takes;
}
