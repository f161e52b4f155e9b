import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Begins with the files that take long, in the given order: one that begins last runs alone while
 * the other workers have nothing left to do. Those that need a process of their own come before all
 * that share one, since Vitest ends a shared process, with all modules that it has read, when the
 * next file cannot use it.
 */
export function longFirst(names: readonly string[]) {
  const placeOf = ({ moduleId }: TestSpecification) => {
    const place = names.findIndex((name) => moduleId.endsWith(name));
    return place < 0 ? names.length : place;
  };
  const isShared = ({ project }: TestSpecification) => project.config.isolate === false;
  return class LongFirst extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(files);
      return sorted.toSorted(
        (a, b) => Number(isShared(a)) - Number(isShared(b)) || placeOf(a) - placeOf(b),
      );
    }
  };
}
