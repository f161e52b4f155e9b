import { Routes } from "../../platform/http/routes.ts";
import { a2aRoutes } from "./a2a/routes.ts";
import { agentRoutes } from "./agents/routes.ts";
import { approvalRoutes } from "./approvals/routes.ts";
import { canvasRoutes } from "./canvas/routes.ts";
import { catalogueRoutes } from "./catalogue/routes.ts";
import { codeRoutes } from "./code/routes.ts";
import { coreContract } from "./contract.ts";
import { conversationRoutes } from "./conversations/routes.ts";
import { conversionRoutes } from "./conversions/routes.ts";
import { mediaRoutes } from "./images/routes.ts";
import { feedbackRoutes } from "./feedback/routes.ts";
import { anthropicRoutes } from "./anthropic-api/routes.ts";
import { openAiConversationRoutes } from "./openai-api/conversations/routes.ts";
import { responsesRoutes } from "./openai-api/responses/routes.ts";
import { openAiTaskRoutes } from "./openai-api/tasks/routes.ts";
import { openAiRoutes } from "./openai-api/routes.ts";
import type { CoreParts } from "./parts.ts";
import { replyRoutes } from "./replies/routes.ts";
import { searchEngineRoutes } from "./search-engines/routes.ts";
import { servicesConfigRoutes } from "./services-config/routes.ts";
import { tableRoutes } from "./tables/routes.ts";
import { templateRoutes } from "./templates/routes.ts";
import { toolRoutes } from "./tools/routes.ts";
import { budgetsRoutes } from "./usage/routes-budgets.ts";
import { usageRoutes } from "./usage/routes.ts";
import { pageRoutes } from "./web/routes.ts";
import { personalData } from "./user-deletion.ts";

export function coreRoutes(parts: CoreParts): Routes {
  const routes = new Routes();
  agentRoutes(routes, parts);
  conversationRoutes(routes, parts);
  feedbackRoutes(routes, parts);
  codeRoutes(routes, parts);
  mediaRoutes(routes, parts);
  tableRoutes(routes, parts);
  pageRoutes(routes, parts);
  replyRoutes(routes, parts);
  approvalRoutes(routes, parts);
  toolRoutes(routes, parts);
  openAiRoutes(routes, parts);
  openAiTaskRoutes(routes, parts);
  responsesRoutes(routes, parts);
  openAiConversationRoutes(routes, parts);
  anthropicRoutes(routes, parts);
  a2aRoutes(routes, parts);
  canvasRoutes(routes, parts);
  servicesConfigRoutes(routes, parts);
  templateRoutes(routes, parts);
  conversionRoutes(routes, parts);
  usageRoutes(routes, parts);
  budgetsRoutes(routes, parts);
  catalogueRoutes(routes, parts);
  searchEngineRoutes(routes, parts);
  return routes.on(coreContract.personalData, ({ params, query }) =>
    personalData(parts.db, params.userId, query.after),
  );
}
