import type { User } from "../../../platform/http/caller.ts";
import { BadRequest, Forbidden } from "../../../platform/http/errors.ts";
import type { Guard } from "../../../platform/http/guard.ts";
import { mayAdminister } from "./access.ts";
import type { AgentDefinition } from "./contract-definition.ts";

/** Checks whether the user may create an agent of this type. @throws Forbidden, BadRequest. */
export async function checkType(
  guard: Guard,
  user: User,
  definition: AgentDefinition,
): Promise<void> {
  if (definition.type === "system")
    throw new BadRequest(
      "agent_invalid",
      "Agents of the type system are built in. Choose another type.",
    );
  if (definition.type === "organization" && !(await mayAdminister(guard, user)))
    throw new Forbidden(
      "admin_required",
      "Only an administrator makes and changes agents of the organisation. Ask one, or " +
        "make a simple agent.",
    );
  checkFields(definition);
}

export function checkFields({ type, flowId, retrieval }: AgentDefinition): void {
  if (type === "workflow" && !flowId)
    throw new BadRequest(
      "agent_invalid",
      "An agent of the type workflow needs a flowId. GET /api/v1/flowengine/flows " +
        "lists the flows.",
    );
  if (type !== "workflow" && flowId)
    throw new BadRequest(
      "agent_invalid",
      "Only an agent of the type workflow has a flowId. Leave it out, or choose that type.",
    );
  if (type !== "cortex" && type !== "organization" && retrieval)
    throw new BadRequest(
      "agent_invalid",
      "Only agents that answer from documents (cortex, organization) have retrieval " +
        "settings. Leave them out, or choose such a type.",
    );
}
