import { type Rows, services } from "../row.ts";

const task = (request: object): Rows[string] => ({
  access: "completion-secret",
  cases: {
    it: {
      ask: () => ({ body: { model: "none", request } }),
      answers: services,
      service: "404 model_unknown",
    },
  },
  harmless: { "body.userId": "services say who asks" },
});

const form: Rows[string] = {
  access: "completion-secret",
  cases: { it: { ask: () => ({}), answers: services, service: "400 form_invalid" } },
};

export const completion: Rows = {
  makeImages: task({ prompt: "a boat" }),
  speak: task({ input: "hello", voice: "alloy" }),
  moderate: task({ input: "hello" }),
  writeText: task({ prompt: "hello" }),
  transcribe: form,
  editImages: form,
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
