/** A list as OpenAI's API answers it. Further ones are asked for behind its `last_id`. */
export function toList<Item extends { id: string }>(
  data: readonly Item[],
  hasMore: boolean,
) {
  return {
    object: "list" as const,
    data: [...data],
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}
