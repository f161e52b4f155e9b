import { expect, test } from "vitest";
import {
  addressFields,
  PROVIDER_KINDS,
  type ProviderKind,
  providerKinds,
  secretFields,
} from "./contract-provider-kinds.ts";

const SERVER = "https://models.example";
/** A config of each kind, with every field. */
const CONFIGS: Record<ProviderKind, Record<string, string>> = {
  openai: { apiKey: "k", baseUrl: SERVER },
  "openai-compatible": { apiKey: "k", baseUrl: SERVER },
  anthropic: { apiKey: "k", baseUrl: SERVER },
  google: { apiKey: "k", baseUrl: SERVER },
  mistral: { apiKey: "k", baseUrl: SERVER },
  azure: { apiKey: "k", endpoint: SERVER, apiVersion: "2024-10-21" },
  bedrock: {
    region: "eu-central-1",
    accessKeyId: "k",
    secretAccessKey: "k",
    sessionToken: "k",
    baseUrl: SERVER,
  },
  ollama: { baseUrl: SERVER },
  offline: {},
};

test.each(PROVIDER_KINDS)(
  "every key and address of the kind %s is known as one",
  (kind) => {
    const config = CONFIGS[kind];
    expect(Object.keys(providerKinds[kind].config.shape).toSorted()).toEqual(
      Object.keys(config).toSorted(),
    );
    const fieldsWith = (value: string) =>
      Object.keys(config).filter((field) => config[field] === value);
    expect(secretFields(kind).toSorted()).toEqual(fieldsWith("k").toSorted());
    expect(addressFields(kind)).toEqual(fieldsWith(SERVER));
  },
);

test.each(PROVIDER_KINDS)(
  "the kind %s sends its key to the configured address only",
  (kind) => {
    const list = providerKinds[kind].modelList(CONFIGS[kind]);
    if (typeof list === "string") return expect(["bedrock", "offline"]).toContain(kind);
    expect(new URL(list.url).origin).toBe(SERVER);
    expect(list.url).not.toContain("//models.example//");
  },
);

test("the region of Amazon Bedrock cannot name another host", () => {
  const { config } = providerKinds.bedrock;
  const { baseUrl: _, ...settings } = CONFIGS.bedrock;
  expect(config.safeParse(settings).success).toBe(true);
  for (const region of [
    "x.evil.example/",
    "evil.example#",
    "user@evil.example",
    "",
    "eu central",
  ])
    expect([region, config.safeParse({ ...settings, region }).success]).toEqual([
      region,
      false,
    ]);
});
