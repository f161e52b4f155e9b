import { expect, test } from "vitest";
import { withImageTypes } from "./image-type.ts";

const typeOf = (mediaType: string, data: string) => {
  const image = { type: "image" as const, mediaType, data };
  const [message] = withImageTypes([{ role: "user", content: [image] }]);
  const [part] = Array.isArray(message?.content) ? message.content : [];
  return part?.type === "image" ? part.mediaType : undefined;
};

test.each([
  ["image/jpeg", "iVBORw0KGgoAAAAN", "image/png"],
  ["image/png", "/9j/4AAQSkZJRg==", "image/jpeg"],
  ["image/png", "R0lGODlhAQABAAAA", "image/gif"],
  ["image/png", "UklGRiQAAABXRUJQ", "image/webp"],
  ["image/jpg", "AAAA", "image/jpeg"],
  ["image/avif", "AAAA", "image/avif"],
])("an image declared %s with the bytes %s is sent as %s", (declared, data, type) => {
  expect(typeOf(declared, data)).toBe(type);
});
