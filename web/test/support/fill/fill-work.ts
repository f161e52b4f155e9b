import { vi } from "vitest";
import type { App } from "../app.ts";
import type { Asks } from "./asks.ts";
import type { Words } from "./words.ts";

/** Ids of what `fillWork` made, one of each kind. */
export interface Work {
  conversation: string;
  canvas: string;
  htmlCanvas: string;
  document: string;
  folder: string;
  agent: string;
  agentFolder: string;
  template: string;
  conversion: string;
}

/** Conversations, canvases, documents, agents, templates and texts of one user. */
export async function fillWork(app: App, asks: Asks, words: Words): Promise<Work> {
  const agents = await fillAgents(asks, words);
  const conversation = await fillConversations(app, asks, words);
  return {
    ...agents,
    conversation,
    ...(await fillCanvases(asks, words, conversation)),
    ...(await fillDocuments(asks, words)),
    ...(await fillTexts(app, asks, words)),
  };
}

async function fillConversations(app: App, asks: Asks, words: Words): Promise<string> {
  const texts = words.texts();
  app.provider.answer((_, { messages }) => {
    const asked = String(messages.at(-1)?.content);
    if (String(messages[0]?.content).startsWith("Write a title"))
      return { text: [words.name()] };
    return { text: [asked], reasoning: [asked] };
  });
  let conversationId: string | undefined;
  for (const content of texts)
    ({ conversationId } = await asks.post<{ conversationId: string }>(
      "/api/v1/conversation",
      {
        content,
        conversationId,
        stream: false,
      },
    ));
  const tags = [words.name(50), words.name(50)];
  for (const title of words.names(300).slice(0, 12)) {
    const sent = { content: title, stream: false };
    const made = await asks.post<{ conversationId: string }>("/api/v1/conversation", sent);
    await asks.patch(`/api/v1/conversation/${made.conversationId}`, { title, tags });
  }
  const id = conversationId ?? "";
  await asks.patch(`/api/v1/conversation/${id}`, {
    title: words.name(300),
    pinned: true,
    tags,
  });
  return id;
}

async function fillCanvases(asks: Asks, words: Words, conversationId: string) {
  const content = words.texts().join("\n\n");
  for (const title of words.names(300))
    await asks.post("/api/v1/canvas", { title, content });
  const of = (more: object) =>
    asks.post("/api/v1/canvas", {
      title: words.name(300),
      content,
      conversationId,
      ...more,
    });
  const canvas = await of({});
  await asks.post(`/api/v1/canvas/${canvas.id}/versions`, {
    baseVersion: 1,
    content: words.texts().toReversed().join("\n\n"),
    title: words.name(300),
  });
  await of({ type: "code", language: "html" });
  const htmlCanvas = await of({ type: "html" });
  return { canvas: canvas.id, htmlCanvas: htmlCanvas.id };
}

async function fillDocuments(asks: Asks, words: Words) {
  const folders: { id: string }[] = [];
  for (const name of words.names()) {
    const parentId = folders.at(-2)?.id; // some lie in others
    const isDeep = folders.length > 5;
    folders.push(
      await asks.post("/api/v1/documents/folders", { name, ...(!isDeep && { parentId }) }),
    );
  }
  const content = new File([words.texts().join("\n\n")], "text.md", {
    type: "text/markdown",
  });
  const document = await asks.upload("/api/v1/documents", content);
  await vi.waitFor(
    async () => {
      const { status } = await asks.get<{ status: string }>(
        `/api/v1/documents/${document.id}`,
      );
      if (status !== "PROCESSED") throw new Error(`the document is ${status}`);
    },
    { timeout: 120_000, interval: 200 },
  );
  for (const name of words.names(240).slice(0, 12))
    await asks.upload("/api/v1/documents", new File([name], fileName(name)));
  await asks.patch(`/api/v1/documents/${document.id}`, {
    fileName: fileName(words.name(240)),
  });
  return { document: document.id, folder: folders[0]?.id ?? "" };
}

async function fillAgents(asks: Asks, words: Words) {
  const texts = words.texts().join("\n\n").slice(0, 4000);
  const folder = await asks.post("/api/v1/agent/folders", { name: words.name() });
  for (const name of words.names())
    await asks.post("/api/v1/agent", {
      name,
      description: words.name(),
      folderId: folder.id,
    });
  const agent = await asks.post("/api/v1/agent", {
    name: words.name(),
    description: texts,
    instructions: texts,
    starters: words.names(500).slice(0, 4),
  });
  await asks.patch(`/api/v1/agent/${agent.id}`, {
    name: words.name(),
    instructions: words.texts().toReversed().join("\n\n"),
  });
  await asks.put(`/api/v1/favorites/agent/${agent.id}`);
  return { agent: agent.id, agentFolder: folder.id };
}

async function fillTexts(app: App, asks: Asks, words: Words) {
  const variables = [
    { name: "a", label: words.name(), default: words.name(), required: true },
  ];
  const content = words.texts().join("\n\n").replaceAll(/[{}]/g, "");
  for (const name of words.names())
    await asks.post("/api/v1/templates", {
      name,
      description: name,
      content,
      scope: "personal",
    });
  const template = await asks.post("/api/v1/templates", {
    name: words.name(),
    description: words.name(2000),
    content: `${content} {{a}}`,
    variables,
  });
  app.provider.answer(() => ({ text: words.texts() }));
  for (const text of words.names().slice(0, 8))
    await asks.post("/api/v1/conversion", { type: "grammar", text, stream: false });
  const conversion = await asks.post("/api/v1/conversion", {
    type: "grammar",
    text: words.texts().join("\n\n"),
    stream: false,
  });
  return { template: template.id, conversion: conversion.id };
}

/** A file's name has no slashes and no characters of control. */
function fileName(name: string): string {
  return `${name.replaceAll(/[/\\\p{Cc}]/gu, "")}.txt`;
}
