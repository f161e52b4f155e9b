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
    "malformedtooluse",
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

/** What the words of an unknown name say. Order matters: `content_filter_error` is a filter. */
const WORDS: readonly [RegExp, CompletionFinish | "error"][] = [
  [
    /filter|safety|unsafe|block|policy|moderat|prohibit|refus|violat|censor|copyright|harm/i,
    "content_filter",
  ],
  [
    /error|fail|malform|abort|invalid|interrupt|overload|time.?out|timed|unavailable|exception|crash/i,
    "error",
  ],
  [/length|limit|max|truncat|incomplete|exceed|budget/i, "length"],
  [/cancel/i, "error"],
];

/**
 * Why a reply ended, by the provider's name of the reason, after which Gemini says more behind a
 * colon. An unknown one is what its words say, or `stop`.
 */
export function readFinish(reason: string): CompletionFinish | "error" {
  const [beginning = ""] = reason.split(":", 1);
  const named = findName(reason) ?? findName(beginning);
  return named ?? WORDS.find(([words]) => words.test(beginning))?.[1] ?? "stop";
}

function findName(reason: string): CompletionFinish | "error" | undefined {
  return BY_NAME.get(reason.toLowerCase().replace(/[^a-z]/g, ""));
}
