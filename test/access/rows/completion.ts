import { type Rows, services } from "../row.ts";

export const completion: Rows = {
  complete: {
    access: "completion-secret",
    cases: {
      it: {
        ask: () => ({
          body: {
            model: "parlance-offline",
            messages: [{ role: "user", content: "hello" }],
            stream: false,
          },
        }),
        answers: services,
      },
    },
  },
};
