import { type Rows, services } from "../row.ts";

/** Only other services run code: for the tool of a reply. */
export const sandbox: Rows = {
  sandboxState: {
    access: "service-secret",
    cases: { it: { ask: () => ({}), answers: services } },
  },
  runCode: {
    access: "service-secret",
    cases: {
      it: {
        ask: () => ({
          body: {
            userId: "nobody",
            conversationId: crypto.randomUUID(),
            code: "1",
            files: [1, 2].map((version) => ({
              name: `${version}`,
              size: 10 ** 9,
              version: `${version}`,
              from: { kind: "stored", key: "none" },
            })),
            storeUnder: "code/none",
          },
        }),
        answers: services,
        service: "422 code_files_too_large",
      },
    },
  },
};
