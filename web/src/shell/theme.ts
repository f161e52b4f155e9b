import { keptChoice } from "./kept-choice.ts";

/** Paper or night, or what the system says. */
export const theme = keptChoice({ name: "theme", choices: ["system", "light", "dark"] });
