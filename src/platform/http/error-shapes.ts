import type { ErrorShape } from "./respond.ts";
import type { Contract } from "./route.ts";

/**
 * The form of errors about paths that no route takes: that of another protocol where a route of it
 * has the same path, or where all routes with the same first segment are of other protocols; then
 * it is the form of most of them.
 */
export function errorShapes(
  services: readonly { contract: Contract }[],
): (path: string) => ErrorShape | undefined {
  const byPath = new Map<string, ErrorShape>();
  const bySegment = new Map<string, ErrorShape[]>();
  const ours = new Set<string>();
  for (const { contract } of services)
    for (const { path, errorBody, statusOf, mediaType } of Object.values(contract)) {
      const segment = firstOf(path);
      if (!errorBody) {
        ours.add(segment);
        continue;
      }
      const shape = { errorBody, statusOf, mediaType };
      byPath.set(path, shape);
      bySegment.set(segment, [...(bySegment.get(segment) ?? []), shape]);
    }
  return (path) => {
    const segment = firstOf(path);
    if (byPath.has(path) || ours.has(segment)) return byPath.get(path);
    return mostCommon(bySegment.get(segment) ?? []);
  };
}

function firstOf(path: string): string {
  return path.split("/", 2)[1] ?? "";
}

function mostCommon(shapes: readonly ErrorShape[]): ErrorShape | undefined {
  const countOf = ({ errorBody }: ErrorShape) =>
    shapes.filter((one) => one.errorBody === errorBody).length;
  return shapes.toSorted((one, other) => countOf(other) - countOf(one))[0];
}
