import { z } from "zod";
import { defineProviderKind } from "./provider-kind.ts";

/** The model that is always there. It is part of the completion service. */
export const offline = defineProviderKind({
  displayName: "Built-in offline model",
  config: z.object({}),
  environment: z.object({}),
  fromEnvironment: () => [{ name: "offline", config: {}, models: "parlance-offline" }],
  modelList: "built-in",
  loadClient: async () => (await import("../offline/offline-model.ts")).offlineModel,
});
