import type { Access } from "./access.ts";

/**
 * Registers in which folder a resource lies, on which the access of others depends. The resource
 * may move again meanwhile, so it is registered until it lies where it was registered.
 */
export async function registerPlace<Resource extends { id: string; ownerId: string }>(
  access: Pick<Access, "register">,
  type: "document" | "folder",
  find: () => Promise<Resource>,
  placeOf: (resource: Resource) => string | null,
): Promise<Resource> {
  let resource = await find();
  for (;;) {
    const place = placeOf(resource);
    await access.register(type, resource.id, resource.ownerId, place);
    resource = await find();
    if (placeOf(resource) === place) return resource;
  }
}
