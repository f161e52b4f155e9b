import { z } from "zod";
import {
  defineProviderKind,
  address,
  modelsVariable,
  secretVariable,
} from "./provider-kind.ts";
const MODELS = "anthropic.claude-sonnet-4-5-20250929-v1:0";
/**
 * Others refuse a request with a mark. Source: Amazon Bedrock user guide, prompt caching.
 */
const CACHING =
  /anthropic\.claude-(?:3-7|3-5-haiku|(?:opus|sonnet|haiku)-[4-9])|amazon\.nova-(?:micro|lite|pro|premier)/;
const secret = (description: string) =>
  z.string().min(1).describe(description).meta({ secret: true });

const config = z.object({
  // part of a host name: with other characters it could name another host
  region: z
    .string()
    .min(1)
    .regex(/^[a-z0-9-]*$/, "lower-case letters, digits and dashes")
    .describe("AWS region"),
  accessKeyId: secret("Access key id"),
  secretAccessKey: secret("Secret access key"),
  sessionToken: z.string().optional().describe("Session token").meta({ secret: true }),
  baseUrl: address("Another endpoint, such as a VPC's").optional(),
});
type Config = z.output<typeof config>;

export const bedrock = defineProviderKind({
  displayName: "Amazon Bedrock",
  config,
  environment: z.object({
    AWS_ACCESS_KEY_ID: secretVariable("Access key id of Amazon Bedrock"),
    AWS_SECRET_ACCESS_KEY: secretVariable("Secret key of Amazon Bedrock"),
    AWS_SESSION_TOKEN: secretVariable("Session token of Amazon Bedrock"),
    AWS_REGION: z.string().optional().describe("Region of Amazon Bedrock"),
    BEDROCK_MODELS: modelsVariable("Amazon Bedrock"),
  }),
  fromEnvironment(env) {
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
    const {
      AWS_SESSION_TOKEN: sessionToken,
      AWS_REGION: region,
      BEDROCK_MODELS = MODELS,
    } = env;
    if (!accessKeyId || !secretAccessKey || !region) return [];
    const settings = { accessKeyId, secretAccessKey, sessionToken, region };
    return [{ name: "bedrock", config: settings, models: BEDROCK_MODELS }];
  },
  // its models are listed by another service of AWS, at another address
  modelList: "unsupported",
  // Source: Amazon Bedrock user guide, Converse, document blocks
  files: {
    pdf: {
      models:
        /anthropic\.claude-(?!instant|v?[12]|3-(?:opus|sonnet|haiku)-)|amazon\.nova-(?!micro)/,
      maxBytes: 4_500_000,
    },
  },
  takes: [],
  async loadClient() {
    const [
      { aiSdkClient },
      { boundedFrames },
      { withImages },
      { withToolsAsText },
      { createAmazonBedrock },
    ] = await Promise.all([
      import("../ai-sdk/ai-sdk-client.ts"),
      import("../ai-sdk/bounded-fetch.ts"),
      import("../fetch-images.ts"),
      import("../tools-as-text.ts"),
      import("@ai-sdk/amazon-bedrock"),
    ]);
    const client = aiSdkClient<Config>(
      ({ baseUrl, ...settings }, model, fetch) => {
        const baseURL =
          baseUrl ?? `https://bedrock-runtime.${settings.region}.amazonaws.com`;
        // an empty key, or the SDK would use AWS_BEARER_TOKEN_BEDROCK
        return createAmazonBedrock({ ...settings, apiKey: "", baseURL, fetch })(model);
      },
      {
        bound: boundedFrames,
        cachePoint: (model) =>
          CACHING.test(model)
            ? { bedrock: { cachePoint: { type: "default" } } }
            : undefined,
      },
    );
    return withToolsAsText(withImages(client));
  },
});
