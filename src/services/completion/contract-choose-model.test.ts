import { expect, test } from "vitest";
import { chooseModel } from "./contract-choose-model.ts";
import type { ModelsProviders } from "./contract-catalogue.ts";

const none = { tools: false, vision: false, reasoning: false };
const model = (id: string, more: object = {}) => ({
  id,
  name: id,
  kind: "completion" as const,
  capabilities: none,
  enabled: true,
  ...more,
});
const provider = (name: string, more: object = {}) => ({
  name,
  displayName: name,
  kind: "openai-compatible" as const,
  enabled: true,
  config: {},
  ...more,
});
const entry = (providerName: string, modelId: string, more: object = {}) => ({
  id: `${providerName}/${modelId}`,
  modelId,
  providerName,
  providerModelId: modelId,
  displayName: modelId,
  enabled: true,
  ...more,
});
const catalogue: ModelsProviders = {
  providers: [
    provider("offline", { kind: "offline" }),
    provider("off", { enabled: false }),
    provider("one"),
    provider("two"),
  ],
  models: [
    model("m"),
    model("disabled", { enabled: false }),
    model("vectors", { kind: "embedding" }),
    model("sees", { capabilities: { ...none, vision: true } }),
    model("both"),
  ],
  availableModels: [
    entry("offline", "m"),
    entry("off", "m"),
    entry("one", "disabled"),
    entry("one", "vectors"),
    entry("one", "m", { id: "hidden", enabled: false }),
    entry("one", "both"),
    entry("two", "both"),
    entry("two", "sees"),
  ],
};
const chosen = (wanted: Parameters<typeof chooseModel>[1], of = catalogue) =>
  chooseModel(of, wanted)?.entry.id;

test("no model of a disabled provider is chosen, no disabled one, and none that only embeds", () => {
  for (const task of ["reply", "translate", "judge", "describe"] as const)
    expect(chosen({ task })).toBe("one/both");
  for (const name of ["off/m", "one/disabled", "one/vectors", "hidden"])
    expect(chosen({ task: "reply", name })).toBeUndefined();
});

test("what is needed decides, and the offline model does no work of ours", () => {
  expect(chosen({ task: "describe", needs: ["vision"] })).toBe("two/sees");
  const alone = { ...catalogue, availableModels: catalogue.availableModels.slice(0, 1) };
  expect(chosen({ task: "reply" }, alone)).toBe("offline/m");
  expect(chosen({ task: "translate" }, alone)).toBeUndefined();
});

test("a bare name counts where only one provider has it", () => {
  expect(chosen({ task: "reply", name: "sees" })).toBe("two/sees");
  expect(chosen({ task: "reply", name: "both" })).toBeUndefined();
  expect(chosen({ task: "reply", name: "two/both" })).toBe("two/both");
});
