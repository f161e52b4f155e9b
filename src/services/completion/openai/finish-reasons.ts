import type { CompletionFinish } from "../contract.ts";

/**
 * The names of ends at servers that speak OpenAI's protocol, or pass on the names of others:
 * letters only, in lower case. Sources: the API references of OpenAI, Anthropic, Gemini, Bedrock,
 * Mistral, Cohere, DeepSeek and Zhipu; the code of vLLM, TGI and llama.cpp.
 */
const NAMES: Record<CompletionFinish | "error", readonly string[]> = {
  stop: ["stop", "eos", "eostoken", "endturn", "stopsequence", "complete", "completed"],
  length: [
    "length",
    "maxtokens",
    "maxtokensreached",
    "maxoutputtokens",
    "maxlength",
    "modellength",
    "tokenlimit",
    "contextlength",
    "modelcontextwindowexceeded",
    "maxlen",
    "maxoutput",
    "incomplete",
    "limit",
  ],
  tool_calls: ["toolcalls", "toolcall", "tooluse", "functioncall"],
  content_filter: [
    "contentfilter",
    "contentfiltered",
    "safety",
    "recitation",
    "blocklist",
    "prohibitedcontent",
    "spii",
    "imagesafety",
    "refusal",
    "guardrailintervened",
    "sensitive",
    "errortoxic",
  ],
  cancelled: [],
  error: [
    "error",
    "errorlimit",
    "failed",
    "abort",
    "aborted",
    "networkerror",
    "insufficientsystemresource",
    "malformedfunctioncall",
    "malformedtoolcall",
    "malformedmodeloutput",
    "malformedresponse",
    "toomanytoolcalls",
    "missingthoughtsignature",
    "language",
    "unexpectedtoolcall",
  ],
};

const BY_NAME = new Map(
  Object.entries(NAMES).flatMap(
    ([finish, names]) => names.map((name) => [name, finish as keyof typeof NAMES]), // a key of it
  ),
);

/**
 * Why a reply ended, by the provider's name of the reason, after which Gemini says more behind a
 * colon. An unknown one is `stop`.
 */
export function readFinish(reason: string): CompletionFinish | "error" {
  const [beginning = ""] = reason.split(":", 1);
  return findName(reason) ?? findName(beginning) ?? "stop";
}

function findName(reason: string): CompletionFinish | "error" | undefined {
  return BY_NAME.get(reason.toLowerCase().replace(/[^a-z]/g, ""));
}
