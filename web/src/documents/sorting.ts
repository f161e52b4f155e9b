import type { RouteInput } from "../../../src/platform/http/route.ts";
import type { documentsContract } from "../../../src/services/documents/contract.ts";

type ListQuery = RouteInput<typeof documentsContract.list>["query"];
export type SortKey = NonNullable<ListQuery["sort"]>;
export type SortOrder = NonNullable<ListQuery["order"]>;

/** What a list of documents is sorted by; each part is absent where it is the default. */
export interface Sorting {
  sort?: SortKey | undefined;
  order?: SortOrder | undefined;
}

/** The order in which each is shown first: the last changed, A, the largest, what waits. */
const FIRST_ORDERS: Record<SortKey, SortOrder> = {
  updatedAt: "desc",
  fileName: "asc",
  size: "desc",
  status: "asc",
};
const DEFAULT: SortKey = "updatedAt";

export const SORT_KEYS: readonly SortKey[] = ["updatedAt", "fileName", "size", "status"];

export function sortOf({ sort = DEFAULT, order }: Sorting): {
  sort: SortKey;
  order: SortOrder;
} {
  return { sort, order: order ?? FIRST_ORDERS[sort] };
}

/** Sorts by this; once more: the other way round. */
export function sortBy(key: SortKey, before: Sorting): Sorting {
  const { sort, order } = sortOf(before);
  const turned = order === "asc" ? "desc" : "asc";
  return shorten(key, key === sort ? turned : FIRST_ORDERS[key]);
}

/** Without what is the default, so that it is not in the address. */
export function shorten(sort: SortKey, order: SortOrder): Sorting {
  return {
    ...(sort !== DEFAULT && { sort }),
    ...(order !== FIRST_ORDERS[sort] && { order }),
  };
}

/** Reads what somebody may have typed into the address. */
export function readSorting(sort: unknown, order: unknown): Sorting {
  const key = SORT_KEYS.find((one) => one === sort) ?? DEFAULT;
  return shorten(key, order === "asc" || order === "desc" ? order : FIRST_ORDERS[key]);
}
