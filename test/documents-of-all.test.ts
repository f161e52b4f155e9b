import { expect, test, vi } from "vitest";
import { askBelow } from "./support/ask.ts";
import { startScriptedServer } from "./support/scripted-server.ts";
import { uploadFile } from "./support/upload-file.ts";

test.each([["toolset:documents"], ["search_documents"]])(
  "a message that names %s lets the model search all that its user may see, and nothing else",
  async (name) => {
    await using server = await startScriptedServer();
    const { parlance, provider, bob } = server;
    const ask = askBelow(() => parlance, "/api/v1");
    const files = [
      await uploadFile(parlance, "The red barn holds seven cows.", "barn.md", {
        token: bob,
      }),
      await uploadFile(parlance, "The red barn of Anna holds nine cows.", "anna.md"),
    ];
    for (const [at, { body }] of files.entries())
      await vi.waitFor(
        async () =>
          expect(
            (
              await ask("GET", `/documents/${body.id}`, {
                ...(at === 0 && { token: bob }),
              })
            ).body,
          ).toMatchObject({ status: "PROCESSED" }),
        { timeout: 90_000, interval: 200 },
      );
    provider.answerTurns(
      {
        toolCalls: [{ name: "search_documents", arguments: { query: "cows in the barn" } }],
      },
      { text: ["Seven [1]."] },
    );
    const body = { content: "How many cows are there?", tools: [name], stream: false };
    const answer = await ask("POST", "/conversation", { token: bob, body });
    expect(answer.body).toMatchObject({
      content: "Seven [1].",
      sources: [{ index: 1, fileName: "barn.md" }],
    });
    const read = JSON.stringify(provider.turns().at(-1)?.messages);
    expect(read).toContain("seven cows");
    expect(read).not.toContain("nine cows");

    provider.answerTurns({ text: ["I do not know."] });
    await ask("POST", "/conversation", { token: bob, body: { ...body, tools: [] } });
    expect(provider.turns().at(-1)?.tools ?? []).toEqual([]);
  },
);
