/** Groups items named after a permission by the permission's resource. */
export function byResource<Item extends { name: string }>(items: readonly Item[]) {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const resource = item.name.split(":")[0] ?? "";
    groups.set(resource, [...(groups.get(resource) ?? []), item]);
  }
  return [...groups];
}
