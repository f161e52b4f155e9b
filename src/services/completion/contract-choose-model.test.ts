import { expect, test } from "vitest";
import { chooseModel, entriesNamed } from "./contract-choose-model.ts";
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

test("a bare name is the model of the first provider that can answer by it", () => {
  expect(chosen({ task: "reply", name: "sees" })).toBe("two/sees");
  expect(chosen({ task: "reply", name: "both" })).toBe("one/both");
  expect(chosen({ task: "reply", name: "two/both" })).toBe("two/both");
  const reversed = {
    ...catalogue,
    availableModels: catalogue.availableModels.toReversed(),
  };
  expect(chosen({ task: "reply", name: "both" }, reversed)).toBe("two/both");
  const providers = catalogue.providers.map((one) => ({
    ...one,
    enabled: one.name !== "one",
  }));
  expect(chosen({ task: "reply", name: "both" }, { ...catalogue, providers })).toBe(
    "two/both",
  );
});

test("an id is meant before a provider's model, and that before a bare name", () => {
  const entries = [
    entry("one", "x", { id: "1", providerModelId: "two/x" }),
    entry("two", "x", { id: "2" }),
    entry("three", "x", { id: "two/x" }),
  ];
  const meant = (name: string, of = entries) => entriesNamed(of, name).map(({ id }) => id);
  expect(meant("two/x")).toEqual(["two/x"]);
  expect(meant("two/x", entries.slice(0, 2))).toEqual(["2"]);
  expect(meant("two/x", entries.slice(0, 1))).toEqual(["1"]);
  expect(meant("x")).toEqual(["2", "two/x"]);
  expect(meant("y")).toEqual([]);
});
