import { alike, from, type Rows } from "../row.ts";
import { table } from "../world.ts";

export const tables: Rows = {
  compareWebPage: {
    access: "jwt",
    cases: {
      it: {
        ask: () => ({ body: { url: "http://10.0.0.9/", content: "words" } }),
        answers: alike(),
      },
    },
  },
  exportTable: {
    access: ["jwt", "key"],
    cases: {
      it: {
        ask: async (world) => {
          const { id, mark } = await table(world);
          return {
            body: { documentIds: [id], sql: `SELECT * FROM "${mark}"` },
            mark,
          };
        },
        answers: from("viewer", { good: "with it" }),
      },
    },
  },
};
