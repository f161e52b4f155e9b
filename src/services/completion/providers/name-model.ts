/** How makers write the names of their families. Others are shown by the id of the model. */
const FAMILIES: Record<string, string> = {
  chatgpt: "ChatGPT",
  claude: "Claude",
  codellama: "Code Llama",
  codestral: "Codestral",
  command: "Command",
  deepseek: "DeepSeek",
  devstral: "Devstral",
  gemini: "Gemini",
  gemma: "Gemma",
  glm: "GLM",
  gpt: "GPT",
  granite: "Granite",
  grok: "Grok",
  kimi: "Kimi",
  llama: "Llama",
  magistral: "Magistral",
  ministral: "Ministral",
  mistral: "Mistral",
  mixtral: "Mixtral",
  nemotron: "Nemotron",
  olmo: "OLMo",
  phi: "Phi",
  qwen: "Qwen",
  qwq: "QwQ",
  smollm: "SmolLM",
};
const FAMILY = new RegExp(
  `(?:^|[./])(${Object.keys(FAMILIES).join("|")})(?=[-_.:\\d]|$)`,
  "i",
);
/** Of these the number belongs to the name: “Qwen3”, not “Qwen 3”. */
const JOINED = new Set(["qwen", "smollm"]);
const DATE = /^(.+?)[-@_]((?:20)?\d{2}-?(?:0[1-9]|1[0-2])-?(?:[0-2]\d|3[01]))(?=$|[-:])/;
const MAX_ID_CHARACTERS = 300;

/**
 * A model as people write it, from its id at a provider: “claude-sonnet-4-5-20250929” is
 * “Claude Sonnet 4.5 (20250929)”. An id of no known family is its own name.
 */
export function nameModel(id: string): string {
  const family = id.length <= MAX_ID_CHARACTERS && FAMILY.exec(id);
  if (!family) return id;
  const known = (family[1] ?? "").toLowerCase();
  const from = family.index + family[0].length - known.length;
  const rest = id.slice(from + known.length).replace(/:latest$/i, "");
  // “gpt-test” may be anything
  if (!/\d|latest/i.test(id.slice(from))) return id;
  const dated = DATE.exec(rest);
  const date = dated?.[2];
  const words = (dated ? (dated[1] ?? "") + rest.slice(dated[0].length) : rest)
    .replace(/-v\d+:\d+$/, "") // of Bedrock
    .split(/[-_:\s]+/)
    .filter((word) => word !== "" && word !== "latest");
  const name = [joinNumber(known, words), ...joinVersions(words).map(writeWord)];
  return `${name.join(" ")}${date ? ` (${date})` : ""}`.replace("GPT ", "GPT-");
}

/** The name of the family, with the number that touches it. Takes it from the words. */
function joinNumber(family: string, words: string[]): string {
  const name = FAMILIES[family] ?? family;
  const [first = ""] = words;
  if (!JOINED.has(family) || !/^[\d.]+$/.test(first)) return name;
  words.shift();
  return name + first;
}

/** “4”, “5” are the version 4.5. */
function joinVersions(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (/^\d$/.test(word) && last !== undefined && /^\d$/.test(last))
      joined.splice(-1, 1, `${last}.${word}`);
    else joined.push(word);
  }
  return joined;
}

/** Sizes such as 8b are capitals, and so begin words; 4o and what has capitals stays. */
function writeWord(word: string): string {
  if (/^(?:[ae]?\d+(?:\.\d+)?|\d+x\d+)[bm]$/i.test(word)) return word.toUpperCase();
  if (/^(?:oss|mini|nano)$/.test(word)) return word;
  return /^[a-z]/.test(word) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}
