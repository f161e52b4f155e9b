import { randomFrom } from "./fill-store.ts";

const DRAWS = 10_000;
/** Sums that differ by less are equal: figures of questions are added in another order. */
const TOLERANCE = 1e-9;

/**
 * How probable it is that chance alone makes two ways of retrieving differ so much on the same
 * questions: the share of draws in which the sum of the differences is at least as far from 0 when
 * each difference takes a sign by chance. Smucker, Allan and Carterette, "A Comparison of
 * Statistical Significance Tests for Information Retrieval Evaluation" (2007) recommend this test.
 */
export function chanceOf(differences: readonly number[]): number {
  const random = randomFrom(7);
  const unequal = differences.filter((difference) => difference !== 0);
  const seen = Math.abs(unequal.reduce((sum, difference) => sum + difference, 0));
  let asFar = 0;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    let sum = 0;
    for (const difference of unequal) sum += random() < 0.5 ? difference : -difference;
    if (Math.abs(sum) >= seen - TOLERANCE) asFar += 1;
  }
  return asFar / DRAWS;
}
