import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { FakeFlow } from "./state.ts";

export interface RunBody {
  input_value?: string;
  session_id?: string;
  tweaks?: Record<string, Record<string, unknown>>;
}

/** The components of a flow decide what its run does. */
export const COMPONENTS = {
  /** Repeats its input as one message. */
  echo: "ChatOutput",
  /** Repeats its input, one word per token. */
  words: "FakeWords",
  /** Sends tokens until its reader disconnects. */
  endless: "FakeEndless",
  fails: "FakeFails",
  /** Breaks off without an end. */
  cut: "FakeCut",
  /** Ends without any output. */
  silent: "FakeSilent",
  /** Returns the number of files, and their paths. */
  files: "FakeFiles",
} as const;

/** Named `text/event-stream` but in fact one JSON object per line, as Langflow streams. */
export async function streamRun(
  flow: FakeFlow,
  body: RunBody,
  response: ServerResponse,
): Promise<"ended" | "left"> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const types = flow.data.nodes.map(({ data }) => data?.type ?? "");
  const has = (name: keyof typeof COMPONENTS) => types.includes(COMPONENTS[name]);
  const session = body.session_id ?? flow.id;
  const send = (event: string, data: object) =>
    response.write(`${JSON.stringify({ event, data })}\n\n`);
  const message = (sender: string, text: string, id: string = randomUUID()) => {
    const named = {
      sender,
      sender_name: sender === "User" ? "User" : "AI",
      session_id: session,
    };
    send("add_message", {
      text_key: "text",
      text,
      ...named,
      id,
      files: [],
      error: false,
      category: "message",
    });
  };
  const input = body.input_value ?? "";
  message("User", input);
  if (has("fails")) {
    send("error", {
      error: `500: {"message":"Error running graph: the key sk-planted was refused","traceback":null}`,
    });
    response.end();
    return "ended";
  }
  if (has("cut")) {
    message("Machine", "half of");
    response.socket?.end();
    return "ended";
  }
  const id = randomUUID();
  if (has("endless")) {
    message("Machine", "on ", id);
    while (!response.destroyed && !response.closed) {
      send("token", { chunk: "on ", id, timestamp: "now" });
      await sleep(20);
    }
    return "left";
  }
  const given = Object.values(body.tweaks ?? {}).flatMap(
    ({ files, path }) => (files ?? path ?? []) as string[],
  );
  const text = has("files") ? `${input}: ${given.length} ${given.join(" ")}` : input;
  if (has("words")) {
    // the first token is sent twice: in the new message, and by itself
    message("Machine", text.split(/(?<= )/)[0] ?? "", id);
    for (const word of text.split(/(?<= )/))
      send("token", { chunk: word, id, timestamp: "now" });
  }
  if (!has("silent")) message("Machine", text, id);
  send("end", { result: resultOf(session, input, has("silent") ? [] : [text]) });
  response.end();
  return "ended";
}

function resultOf(session: string, input: string, texts: string[]): object {
  const outputs = texts.map((text) => ({
    results: {
      message: {
        text_key: "text",
        data: { text, sender: "Machine", session_id: session, files: [], error: false },
        text,
      },
    },
    artifacts: { message: text, type: "object" },
    outputs: { message: { message: text, type: "text" } },
    logs: { message: [] },
    messages: [
      { message: text, sender: "Machine", component_id: "ChatOutput-x", type: "text" },
    ],
    component_display_name: "Chat Output",
    component_id: "ChatOutput-x",
    used_frozen_result: false,
  }));
  return { session_id: session, outputs: [{ inputs: { input_value: input }, outputs }] };
}
