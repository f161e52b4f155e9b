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
  recordEmbedding: {
    access: "completion-secret",
    cases: {
      it: {
        ask: () => ({
          body: {
            id: "01890000-0000-7000-8000-000000000000",
            provider: "p",
            model: "m",
            inputTokens: 1,
            estimated: false,
            durationMs: 1,
            finishReason: "stop",
            createdAt: "2026-01-01T00:00:00Z",
          },
        }),
        answers: services,
      },
    },
    harmless: { "body.userId": "services say whom it counts for" },
  },
};
