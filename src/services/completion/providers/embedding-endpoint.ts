import { withoutTrailingSlash } from "./addresses.ts";

/** Where a provider embeds texts by one of its models, and in which protocol. */
export interface EmbeddingEndpoint {
  protocol: "openai" | "ollama";
  url: string;
  headers: Record<string, string>;
}

/** `POST /embeddings`, as OpenAI and many others embed texts. */
export function openAiEmbeddings(
  baseUrl: string,
  headers: Record<string, string>,
  query = "",
): EmbeddingEndpoint {
  const url = `${withoutTrailingSlash(baseUrl)}/embeddings${query}`;
  return { protocol: "openai", url, headers };
}
