import { untilServerAnswers } from "./reachable.ts";

const MAX_ATTEMPTS = 3;

/** Fetches code of the app; where that fails, again as soon as the server answers. */
export async function loadPart<Part>(fetchIt: () => Promise<Part>): Promise<Part> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetchIt();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
      await untilServerAnswers();
    }
  }
}
