/** Things with a `name` that is a permission, gathered by what the permission is about. */
export function byResource<Item extends { name: string }>(items: readonly Item[]) {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const resource = item.name.split(":")[0] ?? "";
    groups.set(resource, [...(groups.get(resource) ?? []), item]);
  }
  return [...groups];
}
