import { expect, test } from "vitest";
import { type ModelValues, READS, readValues, storedValues } from "./model-values.ts";

const ENTRY = {
  id: "a",
  modelId: "m",
  providerName: "p",
  providerModelId: "m",
  displayName: "Model",
  isEnabled: true,
} as unknown as Parameters<typeof storedValues>[0]; // what the dialog does not read is left out
const modelWith = (capabilities: Record<string, boolean>) =>
  ({
    id: "m",
    name: "Model",
    kind: "completion",
    capabilities: { tools: true, vision: true, reasoning: false, ...capabilities },
  }) as unknown as Parameters<typeof storedValues>[1];

/** The fields of the dialog, with these choices for what it reads. */
function fieldsWith(choices: Record<string, string>): FormData {
  const fields = new FormData();
  fields.set("displayName", "Model");
  fields.set("tools", "on");
  fields.set("currency", "USD");
  for (const [name, choice] of Object.entries(choices)) fields.set(name, choice);
  return fields;
}

const readsOf = ({ capabilities }: ModelValues) => READS.map((one) => capabilities?.[one]);

test("what nobody said of images, PDFs and recordings is not known, not yes or no", () => {
  const silent = modelWith({ visionAssumed: true });
  expect(readsOf(storedValues(ENTRY, silent))).toEqual([null, null, null]);
  const stated = modelWith({ visionAssumed: false, documents: false, audio: true });
  expect(readsOf(storedValues(ENTRY, stated))).toEqual([true, false, true]);
});

test("the form gives back yes, no and not known", () => {
  const choices = { vision: "no", documents: "yes", audio: "unknown" };
  const read = readValues(fieldsWith(choices), modelWith({}), {});
  expect(readsOf(read)).toEqual([false, true, null]);
});

test("an unchanged form gives back what is stored", () => {
  const model = modelWith({ visionAssumed: true });
  const choices = { vision: "unknown", documents: "unknown", audio: "unknown" };
  expect(readValues(fieldsWith(choices), model, {})).toEqual(storedValues(ENTRY, model));
});
