import { BadGateway } from "../../platform/http/errors.ts";

/** Why a search engine does not answer. Only our own words: what it writes may hold its key. */
export const engineRefusals = {
  key: (engine: string) =>
    new BadGateway(
      "search_engine_refuses_key",
      `${engine} refuses its key. Check the key, or ask for a new one there.`,
      { params: { engine } },
    ),
  quota: (engine: string) =>
    new BadGateway(
      "search_engine_quota",
      `${engine} has no quota left. Wait, or raise the quota there.`,
      { params: { engine } },
    ),
  status: (engine: string, status: number) =>
    new BadGateway(
      "search_engine_status",
      `${engine} answers with status ${status}. Check its address and its settings.`,
      { params: { engine, status: String(status) } },
    ),
  tooLarge: (engine: string) =>
    new BadGateway(
      "search_engine_answer_too_large",
      `${engine} answers more than can be read. Check its address.`,
      { params: { engine } },
    ),
  unreadable: (engine: string) =>
    new BadGateway(
      "search_engine_unreadable",
      `${engine} gives an answer that cannot be read. Check its address, and that it permits JSON.`,
      { params: { engine } },
    ),
  slow: (engine: string) =>
    new BadGateway(
      "search_engine_slow",
      `${engine} takes too long to answer. Try again later, or check its address.`,
      { params: { engine } },
    ),
  unreachable: (engine: string) =>
    new BadGateway(
      "search_engine_unreachable",
      `${engine} cannot be reached. Check its address, and that this server may call it.`,
      { params: { engine } },
    ),
};
