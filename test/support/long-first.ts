import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Begins with the files that take long, in the given order: one that begins last runs alone while
 * the other workers have nothing left to do.
 */
export function longFirst(names: readonly string[]) {
  const placeOf = ({ moduleId }: TestSpecification) => {
    const place = names.findIndex((name) => moduleId.endsWith(name));
    return place < 0 ? names.length : place;
  };
  return class LongFirst extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(files);
      return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
    }
  };
}
