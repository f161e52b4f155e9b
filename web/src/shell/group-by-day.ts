const DAYS = ["today", "yesterday", "earlier"] as const;
type Day = (typeof DAYS)[number];

interface DayGroup<Item> {
  day: Day;
  items: Item[];
}

/** Things by the day they last changed, as the reader's clock has it; no group is empty. */
export function groupByDay<Item extends { updatedAt: string }>(
  items: readonly Item[],
  now = new Date(),
): DayGroup<Item>[] {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  const dayOf = ({ updatedAt }: Item): Day => {
    const at = new Date(updatedAt);
    if (at >= today) return "today";
    return at >= yesterday ? "yesterday" : "earlier";
  };
  return DAYS.map((day) => ({
    day,
    items: items.filter((item) => dayOf(item) === day),
  })).filter((group) => group.items.length > 0);
}
